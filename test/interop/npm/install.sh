#!/usr/bin/env bash
# install.sh [FOLDER]: installs the pinned npm MCP servers and clients into FOLDER (default build/npm), and writes the
# path of the node executable to FOLDER/node-path. Does nothing if they are installed.
set -euo pipefail
folder=${1:-${LINKSPAN_NPM_DIR:-$(dirname "${BASH_SOURCE[0]}")/../../../build/npm}}
oldest_node=20
packages=(
    @modelcontextprotocol/client@2.4.0
    @modelcontextprotocol/conformance@0.2.0-alpha.12
    @modelcontextprotocol/inspector@2.12.0
    @modelcontextprotocol/node@2.1.2
    @modelcontextprotocol/sdk@1.32.2
    @modelcontextprotocol/server@2.4.0
    @modelcontextprotocol/server-everything@2026.8.31
    @modelcontextprotocol/server-filesystem@2026.8.31
    @modelcontextprotocol/server-memory@2026.8.31
    @modelcontextprotocol/server-sequential-thinking@2026.8.31
    ajv@8.17.1
    mcp-proxy@6.7.19
    supergateway@4.0.0
)
mkdir -p "$folder"
cd "$folder"

install() {
    # Without a package.json here, npm would look for one in the parent directories.
    [[ -e package.json ]] || echo '{"name": "linkspan-real-servers", "private": true}' >package.json
    npm install --no-audit --no-fund --ignore-scripts --no-package-lock --save-exact --loglevel=error "$@"
}

installed() {
    local name=${1%@*} version=${1##*@}
    [[ $(node -p "require('./node_modules/$name/package.json').version" 2>/dev/null) == "$version" ]]
}

node=$(command -v node)
if (($(node -p 'parseInt(process.versions.node)') < oldest_node)); then
    package=node-linux-$(node -p process.arch)
    node=$PWD/node_modules/$package/bin/node
    [[ -x $node ]] || install "$package@22"
fi
readlink -f "$node" >node-path

missing=()
for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
done
((${#missing[@]})) || exit 0

echo "installing ${missing[*]}"
install "${missing[@]}"
for package in "${missing[@]}"; do
    installed "$package" || { echo "not installed: $package" >&2; exit 1; }
done
