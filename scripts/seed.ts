/**
 * Fills an account of a running server with sample data of a year: `npm run seed -- --email
 * you@example.com --password … [--url http://localhost:3000] [--days 365]`.
 */
import { parseArgs } from 'node:util'

import { sampleHistory, saveHistory, signInToApi } from './sample-history.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    email: { type: 'string' },
    password: { type: 'string' },
    days: { type: 'string', default: '365' },
  },
})
const { url, email, password } = values
if (email === undefined || password === undefined) {
  console.error('Name the account: npm run seed -- --email you@example.com --password …')
  process.exit(1)
}
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const history = sampleHistory(Date.now(), zone, Number(values.days))
await saveHistory(await signInToApi(url, email, password), history)
console.log(`Saved ${history.tasks.length} tasks and ${history.entries.length} entries.`)
