/** Builds the web app into web/dist, or into the folder that is named: `npm run build [-- folder]`. */
import { resolve } from 'node:path'

import { buildWebApp } from './web-build.ts'

const [folder] = process.argv.slice(2)
await buildWebApp(folder === undefined ? undefined : resolve(folder))
