import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { it } from 'vitest'
import { LocalDb } from './local-db.ts'
import * as store from './timer-store.ts'
it('m', async () => {
  process.stdout.write(`setImmediate ${typeof setImmediate} ${typeof scheduler}\n`)
  for (let round = 0; round < 3; round++) {
    let t = performance.now()
    const N = 100
    let open = 0, start = 0, stop = 0, dump = 0, close = 0
    const lap = () => { const d = performance.now() - t; t = performance.now(); return d }
    for (let i = 0; i < N; i++) {
      lap()
      const db = new LocalDb('u', { indexedDB: new IDBFactory(), IDBKeyRange })
      await db.open(); open += lap()
      await store.start(db, { sessionId: 's', taskId: 't', device: 'd', now: 0 }); start += lap()
      await store.stop(db, 60000); stop += lap()
      await db.transaction('r', db.tables, async () => { for (const x of [db.state, db.outbox, db.entries]) await x.toArray() }); dump += lap()
      db.close(); close += lap()
    }
    process.stdout.write(JSON.stringify({ open: open / N, start: start / N, stop: stop / N, dump: dump / N, close: close / N }) + '\n')
  }
})
