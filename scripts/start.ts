/** Builds what is stale, then serves app and API: `npm start`. */
import { buildWebAppIfStale } from './web-stamp.ts'

await buildWebAppIfStale()
await import('../server/src/main.ts')
