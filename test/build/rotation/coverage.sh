#!/usr/bin/env bash
# coverage.sh: runs the tests of the preset asan with counters, and prints the share of the lines of the library that
# they executed, and the files with the most lines that were not executed. Fails below 90 %. In CI, test/run.sh does not
# run the tests of the preset again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
cd "$root"
source test/support/prerequisites.sh
source test/support/steps.sh
build=build/asan
min=90

install_missing "${test_packages[@]}" clang-16 libclang-rt-16-dev llvm-16
# The coverage must not include counts of an earlier run.
rm -rf "$build/profiles"
cmake --preset asan --log-level=WARNING -D LINKSPAN_COVERAGE=ON >/dev/null
cmake --build --preset asan
ctest --preset asan --progress
note_tests asan

tool() { command -v "$1-16" || command -v "$1"; }
profiles=("$build"/profiles/*.profraw)
[[ -e ${profiles[0]} ]] || { echo "coverage: no profile in $build/profiles" >&2; exit 1; }
# A program that a test kills while it writes its profile leaves an incomplete file, which is ignored with a warning.
"$(tool llvm-profdata)" merge -failure-mode=all -sparse -o "$build/tests.profdata" "${profiles[@]}"

programs=()
for name in linkspan_{unit,exploration,scenario,process,threads,interop} linkspan linkspan-bindgen linkspan-mock \
    mock-calculator mock-database mock-email mock-fault mock-filesystem conformance-client; do
    [[ ! -x $build/bin/$name ]] || programs+=(-object "$build/bin/$name")
done
# A line counts once, and as executed if one of the programs executed it.
"$(tool llvm-cov)" export -format=lcov -instr-profile "$build/tests.profdata" "${programs[@]:1}" "$root/include/linkspan" |
    awk -F'[:,]' -v root="$root/" -v min="$min" -v worst="sort -rn | head -15" '
        $1 == "SF" { file = substr($2, length(root) + 1) }
        $1 == "DA" {
            line = file ":" $2
            if (!(line in ran)) { ran[line] = 0; lines[file]++; all++ }
            if ($3 > 0 && !ran[line]) { ran[line] = 1; covered[file]++; total++ }
        }
        END {
            for (file in lines) {
                missing = lines[file] - covered[file]
                if (missing) printf "%5d of %4d lines never ran  %s\n", missing, lines[file], file | worst
            }
            close(worst)
            if (!all) { print "coverage: nothing was measured"; exit 1 }
            percent = 100 * total / all
            printf "coverage: %.1f %% of %d lines of the library, %d %% required\n", percent, all, min
            exit percent < min
        }'
