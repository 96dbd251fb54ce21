#!/usr/bin/env bash
# coverage.sh BUILD PERCENT: prints the share of the library's headers that the tests have executed, after a run of the
# preset "asan"; files with the most missing lines are first. Fails below PERCENT. S4-21
set -euo pipefail
build=$1
least=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# A line of a header counts once for all units, and as executed if any unit has executed it.
find "$(realpath "$build")" -name '*.gcda' -print0 |
    xargs -0 -n 8 gcov --stdout --relative-only --source-prefix "$root" 2>/dev/null |
    awk -F: -v least="$least" -v worst="sort -rn | head -15" '
        $2 + 0 == 0 && $3 == "Source" { file = $4; ours = file ~ /^include\/linkspan\//; next }
        !ours || $2 + 0 == 0 { next }
        {
            count = $1; gsub(/[ *]/, "", count)
            if (count == "-" || count == "") next
            line = file ":" ($2 + 0)
            if (!(line in ran)) { ran[line] = 0; lines[file]++; all++ }
            if (count !~ /^[#=]/ && !ran[line]) { ran[line] = 1; covered[file]++; total++ }
        }
        END {
            for (file in lines) {
                missing = lines[file] - covered[file]
                if (missing) printf "%5d of %4d lines never ran  %s\n", missing, lines[file], file | worst
            }
            close(worst)
            if (!all) { print "coverage: nothing was measured"; exit 1 }
            percent = 100 * total / all
            printf "coverage: %.1f %% of %d lines of the headers, %d %% wanted\n", percent, all, least
            exit percent < least
        }'
