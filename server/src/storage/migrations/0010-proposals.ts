/**
 * Changes that assistants propose, until their owner accepts or dismisses them.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table proposals (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    key_name text not null,
    reason text not null,
    changes text not null,
    created_at text not null
  )`,
  'create index proposals_of_user on proposals (user_id, created_at)',
]

export const postgres: readonly string[] = [
  `create table proposals (
    id text collate "C" primary key,
    user_id text collate "C" not null references users(id) on delete cascade,
    key_name text collate "C" not null,
    reason text collate "C" not null,
    changes text collate "C" not null,
    created_at text collate "C" not null
  )`,
  'create index proposals_of_user on proposals (user_id, created_at)',
]
