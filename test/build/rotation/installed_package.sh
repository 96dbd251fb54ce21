#!/usr/bin/env bash
# The installed package: its programs, man page, completions and the JSON Schema of scripts; its targets linkspan, http
# and tls, header-only and with separately compiled bodies, by g++ with -O2 -DNDEBUG; and the messages of CMake for a
# missing or unknown component.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}"

prefix=$PWD/build/installed_package/prefix folder=$PWD/build/installed_package/build
rm -rf "$prefix" "$folder"
# With the flags of the preset release, ccache has the bodies and the programs that example/run.sh has compiled.
flags=$(sed -n '/"name": "release"/,/}/s/.*"CMAKE_CXX_FLAGS": "\(.*\)",/\1/p' CMakePresets.json)
cmake --preset install -G Ninja --log-level=WARNING -D CMAKE_CXX_COMPILER=g++ -D "CMAKE_CXX_FLAGS=$flags" \
    -D CMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" >/dev/null
cmake --build --preset install -- --quiet
cmake --install build/install --prefix "$prefix" >/dev/null

for program in linkspan linkspan-bindgen linkspan-mock mock-calculator mock-database mock-email mock-fault mock-filesystem; do
    [[ -x $prefix/bin/$program ]] || { echo "not installed: bin/$program" >&2; exit 1; }
done
# expect_line FILE LINE: checks that the file is installed and begins with this line.
expect_line() {
    [[ -f $prefix/share/$1 ]] || { echo "not installed: share/$1" >&2; exit 1; }
    [[ $(head -n 1 "$prefix/share/$1") == "$2" ]] || { echo "share/$1 does not begin with '$2'" >&2; exit 1; }
}
expect_line man/man1/linkspan.1 '.TH LINKSPAN 1 "" "linkspan" "User Commands"'
expect_line bash-completion/completions/linkspan \
    '# Completion of linkspan for bash: source <(linkspan completion bash)'
expect_line zsh/site-functions/_linkspan '#compdef linkspan'
expect_line fish/vendor_completions.d/linkspan.fish \
    '# Completion of linkspan for fish: linkspan completion fish | source'
expect_line linkspan/linkspan-mock-1.schema.json "$("$prefix/bin/linkspan-mock" --schema)"

launcher=()
! has ccache || launcher=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S test/build/consume -B "$folder" -G Ninja -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_BUILD_TYPE=Release \
    -D CMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -D CONSUMER_COMPONENTS="http;tls" "${launcher[@]}" >/dev/null
cmake --build "$folder" -j2 -- --quiet
LINKSPAN_BIN_DIR=$prefix/bin PATH=$prefix/bin:$PATH ctest --test-dir "$folder" --output-on-failure --no-tests=error

# expect_sentence SENTENCE CMAKE_ARGUMENT...: checks that finding the package fails with this message.
expect_sentence() {
    local sentence=$1 output
    shift
    rm -rf "$folder.refused"
    if output=$(cmake -S test/build/consume -B "$folder.refused" -D CMAKE_PREFIX_PATH="$prefix" "$@" 2>&1); then
        echo "cmake succeeded with $*" >&2
        exit 1
    fi
    tr -s ' \n' ' ' <<<"$output" | grep -qF "$sentence" || {
        printf 'cmake with %s did not print "%s":\n%s\n' "$*" "$sentence" "$output" >&2
        exit 1
    }
}
expect_sentence "no component 'websocket': the components are http and tls" -D CONSUMER_COMPONENTS=websocket
expect_sentence "the component 'http' cannot be used: Boost.URL was not found" \
    -D CONSUMER_COMPONENTS=http -D boost_url_DIR=/nowhere -D CMAKE_DISABLE_FIND_PACKAGE_boost_url=ON
expect_sentence "the component 'tls' cannot be used: OpenSSL" \
    -D CONSUMER_COMPONENTS=tls -D CMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON
echo "installed_package: all its targets were built and run"
