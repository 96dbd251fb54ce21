#!/usr/bin/env bash
# Compiles each header of the directories `detail` alone. The public headers are a script of their own, so that each of
# the two takes at most half of the time.
exec bash "$(dirname "${BASH_SOURCE[0]}")/headers.sh" detail
