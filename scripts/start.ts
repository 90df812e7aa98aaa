/** Builds the web app if its sources have changed, then serves app and API: `npm start`. */
import { buildWebAppIfStale } from './web-stamp.ts'

const siteFolder = await buildWebAppIfStale()
const { startServer } = await import('../server/src/main.ts')
await startServer(siteFolder)
