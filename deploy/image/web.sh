#!/bin/sh
# Builds the web app, for any address. Needs packages.sh before it.
set -eu
cd "$(dirname "$0")/../.."
npm run build
