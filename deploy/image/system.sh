#!/bin/sh
# Installs packages of Debian, and leaves nothing else behind. Usage: sh system.sh <package>...
set -eu
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old /var/log/apt /var/log/dpkg.log
