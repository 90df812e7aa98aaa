/**
 * Sessions and entries have a log, which holds the events that made them (docs/log.md).
 * Frozen: a change of the schema is a new file.
 */

// A document whose owner has used up the storage would be refused: the server sets the quota again
// when it starts.
const WITHOUT_QUOTA = 'update document_quota set documents = null, bytes = null'

export const sqlite: readonly string[] = [
  WITHOUT_QUOTA,
  'alter table timer_sessions add column log text',
  'alter table time_entries add column log text',
  `update timer_sessions set body = substr(body, 1, length(body) - 1) || ',"log":null}'`,
  `update time_entries set body = substr(body, 1, length(body) - 1) || ',"log":null}'`,
]

export const postgres: readonly string[] = [
  WITHOUT_QUOTA,
  'alter table timer_sessions add column log text collate "C"',
  'alter table time_entries add column log text collate "C"',
  `update timer_sessions set body = left(body, -1) || ',"log":null}'`,
  `update time_entries set body = left(body, -1) || ',"log":null}'`,
]
