#!/usr/bin/env bash
# The part of bare_system.sh that runs inside the overlay. COMMANDS: the commands of the README; SOURCE: the project.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
# dpkg does not verify the files that a container hides.
dpkg --purge --force-depends $(dpkg-query -W -f '${Package} ${db:Status-Status}\n' 'libboost-test1.81-dev' \
    'libboost-test-dev' 'libssl-dev' 'ninja-build' 'ccache' | awk '$2 == "installed" { print $1 }') >/dev/null
for gone in /usr/include/openssl /usr/include/boost/test /usr/bin/ninja /usr/bin/ccache; do
    [[ ! -e $gone ]] || rm -rf "$gone" # installed without a package
done

work=$(mktemp -d)
cp -r "$SOURCE"/{CMakeLists.txt,CMakePresets.json,LICENSE,README.md,include,mock_servers,example,doc,test} "$work"
cd "$work"
echo "$COMMANDS"
eval "$COMMANDS" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }

cd /
linkspan --help >/dev/null
command -v linkspan-bindgen linkspan-mock mock-calculator mock-fault mock-filesystem >/dev/null
cat >"$work/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.21)
project(app LANGUAGES CXX)
find_package(linkspan REQUIRED)
add_executable(app example/02_quickstart.cpp)
target_link_libraries(app PRIVATE linkspan::linkspan)
CMAKE
cmake -S "$work" -B "$work/app" >/dev/null
cmake --build "$work/app" >/dev/null
[[ $("$work/app/app") == "5 from calculator" ]]
echo "bare system: installed, and the program of the README runs"
