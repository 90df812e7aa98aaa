#!/bin/sh
# Prepares a minimal Debian to run Stint: the library of Node 26 that it lacks, a user without rights,
# its data folder.
set -eu
sh "$(dirname "$0")/system.sh" libatomic1
groupadd --gid 1000 stint
useradd --uid 1000 --gid stint --home-dir /data --no-create-home --shell /usr/sbin/nologin stint
install -d -o stint -g stint -m 700 /data
