/** Parse Server as it comes, for the benchmark: `node parse-server.js <port> <postgres URL>`. */
import { ParseServer } from 'parse-server'

const [port, databaseURI] = process.argv.slice(2)
await ParseServer.startApp({
  appId: 'bench',
  masterKey: 'bench',
  databaseURI,
  host: '127.0.0.1',
  port: Number(port),
  serverURL: `http://127.0.0.1:${port}/parse`,
  // The class of the entries is made by the first of them.
  allowClientClassCreation: true,
  logLevel: 'error',
  silent: true,
  verbose: false,
})
console.log('ready')
