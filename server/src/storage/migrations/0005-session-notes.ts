/** Sessions have a note, which their owner writes while the timer runs. */

// A session whose owner has used up the storage would be refused: the server sets the quota again
// when it starts.
const WITHOUT_QUOTA = 'update document_quota set documents = null, bytes = null'

export const sqlite: readonly string[] = [
  WITHOUT_QUOTA,
  'alter table timer_sessions add column note text',
  `update timer_sessions set body = substr(body, 1, length(body) - 1) || ',"note":null}'`,
]

export const postgres: readonly string[] = [
  WITHOUT_QUOTA,
  'alter table timer_sessions add column note text collate "C"',
  `update timer_sessions set body = left(body, -1) || ',"note":null}'`,
]
