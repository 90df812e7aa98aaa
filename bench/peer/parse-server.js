/**
 * Parse Server for the benchmark: `node parse-server.js <port> <postgres URL>`, as it comes, or with `live`
 * behind it, telling whoever watches the entries of each that is written, as Stint does.
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
  // The class of the entries is made by the first of them.
  allowClientClassCreation: true,
  ...(live === 'live'
    ? { liveQuery: { classNames: ['TimeEntry'] }, startLiveQueryServer: true }
    : {}),
  logLevel: 'error',
  silent: true,
  verbose: false,
})
console.log('ready')
