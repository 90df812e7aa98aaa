/**
 * The answers of calls with an `Idempotency-Key`, which are given again when the call is repeated.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table key_answers (
    key_id text not null references keys(id) on delete cascade,
    name text not null,
    call_hash text not null,
    status integer not null,
    body text not null,
    created_at text not null,
    primary key (key_id, name)
  ) without rowid`,
]

export const postgres: readonly string[] = [
  `create table key_answers (
    key_id text collate "C" not null references keys(id) on delete cascade,
    name text collate "C" not null,
    call_hash text collate "C" not null,
    status integer not null,
    body text collate "C" not null,
    created_at text collate "C" not null,
    primary key (key_id, name)
  )`,
]
