/**
 * PostgreSQL: the index of the newest first has the complete order, ties included, so that no
 * list is sorted.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = []

export const postgres: readonly string[] = [
  'drop index tasks_by_creation',
  'create index tasks_by_creation on tasks (owner, created_at desc, sequence)',
  'drop index timer_sessions_by_creation',
  'create index timer_sessions_by_creation on timer_sessions (owner, created_at desc, sequence)',
  'drop index time_entries_by_creation',
  'create index time_entries_by_creation on time_entries (owner, created_at desc, sequence)',
]
