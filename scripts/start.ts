/**
 * Builds the web app if its sources have changed, then serves app and API: `npm start`. The first
 * start of a clone serves it in English, and builds the other languages meanwhile.
 */
import { buildEnglishFirst, buildWebAppIfStale } from './web-stamp.ts'

const first = await buildEnglishFirst()
const { startServer } = await import('../server/src/main.ts')
if (first === null) {
  await startServer(await buildWebAppIfStale())
} else {
  const next = Promise.withResolvers<string>()
  await startServer(first, { nextSite: next.promise })
  next.resolve(
    buildWebAppIfStale().catch((error: unknown) => {
      console.error('Stint is served in English alone.', error)
      return first
    }),
  )
}
