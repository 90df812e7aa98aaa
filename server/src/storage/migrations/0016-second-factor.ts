/**
 * Second factors of those who sign in with a password: the secret of an authenticator app, and codes to recover with.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table second_factors (
    user_id text primary key references users(id) on delete cascade,
    secret text not null,
    is_on boolean not null,
    last_step integer not null,
    created_at text not null
  )`,
  `create table recovery_codes (
    user_id text not null references users(id) on delete cascade,
    code_hash text not null,
    primary key (user_id, code_hash)
  )`,
]

export const postgres: readonly string[] = [
  `create table second_factors (
    user_id text collate "C" primary key references users(id) on delete cascade,
    secret text collate "C" not null,
    is_on boolean not null,
    last_step bigint not null,
    created_at text collate "C" not null
  )`,
  `create table recovery_codes (
    user_id text collate "C" not null references users(id) on delete cascade,
    code_hash text collate "C" not null,
    primary key (user_id, code_hash)
  )`,
]
