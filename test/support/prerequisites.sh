# Sourced by run.sh in this directory and in example/.

build_packages=(g++ cmake ninja-build ccache libboost1.81-dev libboost-json1.81-dev libboost-test1.81-dev
    libboost-url1.81-dev libssl-dev libsqlite3-dev libpq-dev)
test_packages=("${build_packages[@]}" lld postgresql-15 libgtest-dev catch2 librapidcheck-dev)

has() { command -v "$1" >/dev/null; }

# Without dpkg, missing libraries are reported by CMake.
has_package() {
    if has dpkg-query; then
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
        return
    fi
    case $1 in
    lib*) ;;
    ninja-build) has ninja ;;
    clang-16) has clang++-16 ;;
    nodejs) has node ;;
    *) has "$1" ;;
    esac
}

# install_missing PACKAGE...: installs missing packages, and node if absent. Without apt-get or root access, ends the
# script with a list of the missing packages.
install_missing() {
    local packages=("$@") missing=() package
    if ! has node || ! has npm; then
        packages+=(nodejs npm)
    fi
    for package in "${packages[@]}"; do
        has_package "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    local root=()
    ((EUID == 0)) || root=(sudo)
    if ! has apt-get || ! has "${root[0]:-true}"; then
        echo "missing: ${missing[*]}" >&2
        exit 1
    fi
    echo "installing ${missing[*]}"
    local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
    "${apt[@]}" update
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
}
