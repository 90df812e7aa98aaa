/**
 * Builds the web app for Stint's own server, or into the given folder for any other server: `npm
 * run build [-- folder]`. With 'first' after the folder, only what a server needs to answer soon.
 */
import { resolve } from 'node:path'

import { buildWebAppIfStale } from './web-stamp.ts'

const [folder, what] = process.argv.slice(2)
if (folder === undefined) {
  console.log(`The web app is in ${await buildWebAppIfStale()}`)
} else {
  const { buildFirstPages, buildWebApp } = await import('./web-build.ts')
  await (what === 'first' ? buildFirstPages : buildWebApp)(resolve(folder))
}
