#!/usr/bin/env bash
# newer_boost.sh FOLDER: unpacks the headers of Boost 1.88 from the next Debian release into FOLDER/include. Installs
# nothing and leaves the package lists of the system unchanged. Exits with 77 and a message if the package is not
# available.
set -euo pipefail

mkdir -p "$1"
folder=$(realpath "$1") # apt resolves relative paths against its own directories
suite=trixie package=libboost1.88-dev
[[ ! -e $folder/include/boost/version.hpp ]] || exit 0

skip() {
    echo "skipped: the unit tests with Boost 1.88: $1"
    exit 77
}

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || skip "apt-get and dpkg-deb unpack it"
# The Debian mirror of this machine also has the next release.
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep '/debian/$' | sort -u |
    head -n 1) || true
[[ $archive ]] || skip "this machine gets its packages from no archive of Debian"

state=$(mktemp -d "$folder/apt.XXXXXX")
trap 'rm -rf "$state"' EXIT
mkdir -p "$state"/{lists/partial,cache/archives/partial}
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $archive $suite main" >"$state/sources.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache" -o APT::Get::List-Cleanup=0
    -o APT::Sandbox::User=root)
"${apt[@]}" update || skip "the archive has no $suite"
(cd "$state" && "${apt[@]}" download "$package") || skip "the archive has no $package"
dpkg-deb -x "$state/$package"_*.deb "$state/root"
mv "$state/root/usr/include" "$folder/include"
