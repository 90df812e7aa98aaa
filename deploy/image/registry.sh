# Sourced by the steps that call npm. A build may be given two secrets, which stay out of the image:
# `npmrc`, npm's settings for a registry of one's own, and `ca`, certificates of a proxy in between.
if [ -s /run/secrets/npmrc ]; then export NPM_CONFIG_USERCONFIG=/run/secrets/npmrc; fi
if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi
