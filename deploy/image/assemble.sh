#!/bin/sh
# Makes a folder from which Stint runs by itself, without npm: the pinned Node, the packages of the
# server, the sources without their tests, the built web app and a list of all parts (sbom.cdx.json).
# Usage: sh deploy/image/assemble.sh <new folder> [amd64|arm64]
# Needs web.sh before it. The machine that runs it may be of the other kind.
set -eu
target=${1:?the folder to make is missing}
mkdir -p "$target"
target=$(cd "$target" && pwd)
cd "$(dirname "$0")/../.."
. deploy/image/npm.sh
if [ -n "$(ls -A "$target")" ]; then
  echo "$target is not empty" >&2
  exit 1
fi

case ${2:-$(uname -m)} in
  amd64 | x86_64) cpu=x64 strip=x86_64-linux-gnu-strip ;;
  arm64 | aarch64) cpu=arm64 strip=aarch64-linux-gnu-strip ;;
  *)
    echo "Stint has no Node for ${2:-$(uname -m)}: amd64 and arm64 are there" >&2
    exit 1
    ;;
esac

build=web/dist/$(cat web/dist/current)

# The packages of the server and the pinned Node, as listed in package-lock.json.
cp package-lock.json .npmrc LICENSE "$target"
mkdir "$target/core" "$target/server"
cp core/package.json "$target/core"
cp server/package.json "$target/server"
node deploy/image/server-package.js <package.json >"$target/package.json"
(
  cd "$target"
  npm install --ignore-scripts --no-save --prefer-offline --no-progress \
    --os=linux --cpu="$cpu" --libc=glibc
  npm sbom --sbom-format cyclonedx --sbom-type application >sbom.cdx.json
)

# Stint itself.
cp -R core/src "$target/core"
cp -R server/src "$target/server"
cp -R locales "$target"
mkdir -p "$target/web/dist"
cp -R "$build" web/dist/current "$target/web/dist"
rm -rf "$target/$build/.maps"
mkdir "$target/bin"
cp deploy/image/bin/* "$target/bin"

# What only building and testing need.
cd "$target"
find core/src server/src \( -name '*.test.ts' -o -name README.md \) -delete
rm -rf core/src/test core/src/log/test server/src/storage/released server/src/storage/migrations/*.txt
rm -rf package-lock.json .npmrc node_modules/.package-lock.json
rm -rf node_modules/node-linux-*/include node_modules/node-linux-*/share
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src node_modules/better-sqlite3/build
find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$cpu.node" -delete
find . -path '*/node_modules/*' -type d \( -name test -o -name tests -o -name __tests__ \
  -o -name benchmark -o -name benchmarks -o -name .github \) -prune -exec rm -rf {} +
# Node takes no TypeScript from packages. Their licences stay.
find . -path '*/node_modules/*' -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' \
  -o -name '*.map' -o -name '*.test.*' -o -name '*.spec.*' -o -name '*.md' ! -iname '*licen[cs]e*' \) -delete
# Node without its symbols for debuggers is 33 MB smaller, if the tool is at hand (binutils).
if command -v "$strip" >/dev/null; then
  "$strip" --strip-unneeded "node_modules/node-linux-$cpu/bin/node"
fi
find . -type d -empty -delete
# Everybody may read it, and nobody but its owner may change it.
chmod -R u=rwX,go=rX .
