/**
 * Builds the web app for Stint's own server, or into the given folder for any other server: `npm
 * run build [-- folder]`.
 */
import { resolve } from 'node:path'

import { buildWebAppIfStale } from './web-stamp.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.log(`The web app is in ${await buildWebAppIfStale()}`)
} else {
  const { buildWebApp } = await import('./web-build.ts')
  await buildWebApp(resolve(folder))
}
