#!/usr/bin/env bash
# The names of test/run.sh are checked before anything is built.
# Usage: test_names.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/support/test_names.sh

require_tests "$1" unit unit.json unit.json.canonical_json version
if message=$(require_tests "$1" unit.json unit.jso nothing 2>&1); then
    echo "an unknown name was accepted" >&2
    exit 1
fi
[[ $message == *"'unit.jso'"*"nothing"* && $message != *"'unit.json'"* ]]
