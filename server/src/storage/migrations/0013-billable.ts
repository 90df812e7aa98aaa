/**
 * Entries say whether they are billable, and what sealed timesheets have of them.
 * Frozen: a change of the schema is a new file.
 */

// A document whose owner has used up the storage would be refused: the server sets the quota again
// when it starts.
const WITHOUT_QUOTA = 'update document_quota set documents = null, bytes = null'

export const sqlite: readonly string[] = [
  WITHOUT_QUOTA,
  'alter table time_entries add column billable boolean',
  'alter table time_entries add column invoiced text',
  `update time_entries set body = substr(body, 1, length(body) - 1) || ',"billable":null,"invoiced":null}'`,
]

export const postgres: readonly string[] = [
  WITHOUT_QUOTA,
  'alter table time_entries add column billable boolean',
  'alter table time_entries add column invoiced text collate "C"',
  `update time_entries set body = left(body, -1) || ',"billable":null,"invoiced":null}'`,
]
