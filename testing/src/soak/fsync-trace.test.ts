import { expect, test } from 'vitest'
import { judgeTrace } from './fsync-trace.ts'

const WROTE = '7 pwrite64(22</data/stint.db-wal>, "\\0\\0"..., 4096, 32) = 4096'
const SYNCED = '7 fdatasync(22</data/stint.db-wal>) = 0'
const CREATED =
  '7 writev(25<TCP:[1]>, [{iov_base="HTTP/1.1 201 Created\\r\\nvary:"..., iov_len=9}], 1) = 9'
const CHANGED = '7 write(25<TCP:[1]>, "HTTP/1.1 200 OK\\r\\nvary:"..., 9) = 9'

test.each([
  ['after its sync', [WROTE, SYNCED, CREATED, WROTE, SYNCED, CREATED], 0],
  [
    'after a sync in two halves',
    [
      WROTE,
      '7 fdatasync(22</data/stint.db-wal> <unfinished ...>',
      '9 write(3<pipe:[1]>, "x", 1) = 1',
      '7 <... fdatasync resumed>) = 0',
      CREATED,
    ],
    0,
  ],
  ['together with others of its commit', [WROTE, WROTE, SYNCED, CHANGED, CHANGED], 0],
  ['before its sync', [WROTE, CREATED, SYNCED], 1],
  [
    'while the sync is under way',
    [
      WROTE,
      '9 fdatasync(22</data/stint.db-wal> <unfinished ...>',
      CREATED,
      '9 <... fdatasync resumed>) = 0',
    ],
    1,
  ],
  [
    'after a sync that failed',
    [WROTE, '7 fdatasync(22</data/stint.db-wal>) = -1 EIO (Input/output error)', CREATED],
    1,
  ],
  ['after a sync of another file', [WROTE, '7 fdatasync(21</data/stint.db>) = 0', CREATED], 1],
  ['with nothing written at all', [WROTE, SYNCED, CREATED, CREATED], 1],
  ['with others before the sync', [WROTE, CHANGED, CHANGED, SYNCED], 2],
])('a trace is judged right for a reply %s', async (_, lines, early) => {
  expect((await judgeTrace(lines)).early).toBe(early)
})
