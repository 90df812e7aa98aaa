#!/bin/sh
# Installs the packages that build the web app. They bring their programs along: no script of theirs
# has to run, and no compiler is needed. Not `npm ci`: it insists on the optional packages of every
# system, which the list of packages does not have.
set -eu
cd "$(dirname "$0")/../.."
. deploy/image/npm.sh
npm install --ignore-scripts --no-save --prefer-offline --no-progress
