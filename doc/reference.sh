#!/usr/bin/env bash
# reference.sh: writes the reference of the public headers to build/reference/html and prints the path of its first page.
# Fails if Doxygen reports a warning. Installs Doxygen (1.9.4 or newer) if it is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source test/support/prerequisites.sh
has doxygen || install_missing doxygen

LINKSPAN_VERSION=$(sed -n 's/^project(linkspan VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
export LINKSPAN_VERSION

# Files of an earlier run would stay in the reference.
rm -rf build/reference
mkdir -p build/reference
doxygen doc/Doxyfile
echo "$PWD/build/reference/html/index.html"
