#!/usr/bin/env bash
# run.sh [NAME...]: runs the named scripts of this directory, each of which uses the library in a particular way. The
# part of a name behind a dot is the argument of the script.
# Without arguments, runs one script chosen by the commit, so that all of them run every few commits;
# LINKSPAN_ROTATION=all in the environment runs all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

all=(bare_system installed_package without_tls headers.public_1 source_folder headers.detail_1 newer_boost
    fuzzed_server headers.public_2 coverage load headers.detail_2 compile_budget)
per_run=1

names=("$@")
if ((${#names[@]} == 0)) && [[ ${LINKSPAN_ROTATION:-} == all ]]; then
    names=("${all[@]}")
elif ((${#names[@]} == 0)); then
    # The number of the commit selects each script in turn; a shallow clone has only its hash.
    if [[ $(git rev-parse --is-shallow-repository 2>/dev/null) == false ]]; then
        first=$(($(git rev-list --count --first-parent HEAD) % ${#all[@]}))
    else
        first=$((16#$(git rev-parse --short=6 HEAD 2>/dev/null || echo 0) % ${#all[@]}))
    fi
    for ((i = 0; i < per_run; ++i)); do
        names+=("${all[(first + i) % ${#all[@]}]}")
    done
fi
echo "== rotation: runs ${names[*]}; all: ${all[*]}"

status=0
for name in "${names[@]}"; do
    echo "== rotation: $name"
    start=$SECONDS
    ended=0
    IFS=. read -r script argument <<<"$name"
    bash "test/build/rotation/$script.sh" ${argument:+"$argument"} || ended=$?
    case $ended in
    0) echo "== rotation: $name passed in $((SECONDS - start)) s" ;;
    77) [[ -z ${LINKSPAN_SKIP_NOTHING:-} ]] || status=1 ;;
    *) status=1 && echo "== rotation: $name failed with status $ended" >&2 ;;
    esac
done
exit $status
