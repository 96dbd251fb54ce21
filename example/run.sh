#!/usr/bin/env bash
# Installs missing packages, builds the tour with -O2 and runs it. `cmake --build --preset release` builds all examples.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source test/support/prerequisites.sh

install_missing "${build_packages[@]}"
bash test/interop/npm/install.sh || echo "the servers from npm are not installed: the tour reports them as failed" >&2
cmake --preset release --log-level=WARNING >/dev/null
cmake --build --preset release --target tour mock-calculator -- --quiet
export LINKSPAN_BIN_DIR=$PWD/build/release/bin LINKSPAN_NPM_DIR=${LINKSPAN_NPM_DIR:-$PWD/build/npm}
exec build/release/bin/tour "$@"
