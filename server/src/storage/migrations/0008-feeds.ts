/**
 * The secret addresses at which calendars read sessions.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table feeds (
    user_id text primary key references users(id) on delete cascade,
    secret_hash text not null unique,
    created_at text not null
  )`,
]

export const postgres: readonly string[] = [
  `create table feeds (
    user_id text collate "C" primary key references users(id) on delete cascade,
    secret_hash text collate "C" not null unique,
    created_at text collate "C" not null
  )`,
]
