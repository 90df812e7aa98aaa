/**
 * Personal keys, with which programs use the API in a person's name.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table keys (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    name text not null,
    access text not null,
    secret_hash text not null unique,
    created_at text not null,
    not_before text,
    used_at text
  )`,
  'create index keys_of_user on keys (user_id, created_at)',
]

export const postgres: readonly string[] = [
  `create table keys (
    id text collate "C" primary key,
    user_id text collate "C" not null references users(id) on delete cascade,
    name text collate "C" not null,
    access text collate "C" not null,
    secret_hash text collate "C" not null unique,
    created_at text collate "C" not null,
    not_before text collate "C",
    used_at text collate "C"
  )`,
  'create index keys_of_user on keys (user_id, created_at)',
]
