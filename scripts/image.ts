/**
 * Builds the image and tries it: `npm run image`. With Docker or Podman at hand it is built from the
 * Dockerfile; else the Dockerfile's commands run in a clean Debian, which needs root and debootstrap.
 *
 * `npm run image -- docker|podman|root` chooses.
 */
import { buildInCleanRoot } from './image/clean-root.ts'
import { has } from './image/commands.ts'
import { buildWith } from './image/container.ts'
import { tryImage } from './image/try.ts'

const WAYS = ['docker', 'podman', 'root']

const way = process.argv[2] ?? wayAtHand()
if (way === null || !WAYS.includes(way)) {
  console.error(
    'Nothing to build the image with: start Docker, install Podman, or run this as root where ' +
      'debootstrap is installed.',
  )
  process.exit(1)
}
console.log(`Building the image with: ${way}`)
const startedAt = Date.now()
const image = way === 'root' ? buildInCleanRoot() : buildWith(way)
console.log(`Built in ${Math.round((Date.now() - startedAt) / 1000)} s`)
try {
  await tryImage(image)
} finally {
  image.remove()
}

function wayAtHand(): string | null {
  if (has('docker', ['info'])) return 'docker'
  if (has('podman')) return 'podman'
  return process.getuid?.() === 0 && has('debootstrap') ? 'root' : null
}
