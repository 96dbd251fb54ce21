#!/usr/bin/env bash
# Executes the install commands of the README literally in a system without Boost.Test, OpenSSL, Ninja and ccache, and
# then builds a program with the installed library. The system is this one with these packages purged in an overlay in
# memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}" make

skip() {
    echo "skipped: the bare system: $1"
    exit 77
}

commands=$(sed -n '/^<!-- install -->$/,/^```$/p' README.md | grep -vE '^(<!--|```)') || true
[[ $commands ]] || { echo "README.md has no block of commands after <!-- install -->" >&2; exit 1; }
((EUID == 0)) || skip "mounting a layer above the system needs root"
has unshare && has apt-get || skip "it needs unshare and apt-get"
unshare --mount true 2>/dev/null || skip "mount namespaces are not permitted here"

export COMMANDS=$commands SOURCE=$PWD
exec unshare --mount bash -euo pipefail -c '
    layer=$(mktemp -d)
    mount -t tmpfs -o size=3G none "$layer"
    mkdir "$layer"/{upper,work,root}
    mount -t overlay overlay -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" "$layer/root" 2>/dev/null || {
        echo "skipped: the bare system: overlay mounts are not permitted here"
        exit 77
    }
    mount -t proc none "$layer/root/proc"
    mount --rbind /dev "$layer/root/dev"
    exec chroot "$layer/root" bash "$SOURCE/test/build/rotation/bare_system_inside.sh"
'
