/**
 * Parse Server for the benchmark: `node parse-server.js <port> <postgres URL>`, with default
 * settings. With a further argument `live`, it publishes each written entry to its subscribers, as
 * Stint does.
 */
import { ParseServer } from 'parse-server'

const [port, databaseURI, live] = process.argv.slice(2)
await ParseServer.startApp({
  appId: 'bench',
  masterKey: 'bench',
  databaseURI,
  host: '127.0.0.1',
  port: Number(port),
  serverURL: `http://127.0.0.1:${port}/parse`,
  // The first entry creates the class of the entries.
  allowClientClassCreation: true,
  ...(live === 'live'
    ? { liveQuery: { classNames: ['TimeEntry'] }, startLiveQueryServer: true }
    : {}),
  logLevel: 'error',
  silent: true,
  verbose: false,
})
console.log('ready')
