# Sourced by the steps that call npm. Ends them if npm is too old: npm 9, which Debian 13 has, leaves
# out the link to the pinned Node.
case $(npm --version) in
  [1-9].*)
    echo "Stint needs npm 10 or newer; this is npm $(npm --version). 'npm install --global npm@11' installs one." >&2
    exit 1
    ;;
esac
# A build may be given two secrets, which stay out of the image: `npmrc`, npm's settings for a registry
# of one's own, and `ca`, certificates of a proxy in between.
if [ -s /run/secrets/npmrc ]; then export NPM_CONFIG_USERCONFIG=/run/secrets/npmrc; fi
if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi
