#!/usr/bin/env bash
# no_pidfd.sh VALGRIND PROGRAM [ARG...]: runs a program that starts a child process under a valgrind without
# `pidfd_open`, so that each start fails after its fork, and the new process is killed and reaped. Fails unless the
# program ends with the error of this system call. Exits with 77 and a message if the program succeeds, because a newer
# valgrind supports the system call.
set -euo pipefail
status=0
output=$("$1" -q --error-exitcode=9 "${@:2}" 2>&1) || status=$?
if ((status == 0)); then
    echo "skipped: bench.no_pidfd: $("$1" --version) supports pidfd_open"
    exit 77
fi
echo "$output"
((status != 9)) || { echo "no_pidfd.sh: valgrind has found an error" >&2 && exit 1; }
if ! grep --quiet 'pidfd_open: Function not implemented' <<<"$output"; then
    echo "no_pidfd.sh: the program has failed for another reason than pidfd_open, with status $status" >&2
    exit 1
fi
