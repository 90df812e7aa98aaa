/**
 * The server as `npm start` runs it, except that it refuses no request because it is slow: how busy
 * the machine is must decide no test.
 */
import { startServer } from '@stint/server/main.ts'
import { currentBuild } from '@stint/server/site/build.ts'

await startServer(currentBuild(), { shedsLoad: false })
