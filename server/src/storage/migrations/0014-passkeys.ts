/**
 * Passkeys, with which people sign in without a password, and the challenges that a passkey is asked to sign.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table passkeys (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    credential_id text not null unique,
    public_key text not null,
    counter integer not null,
    transports text not null,
    name text not null,
    created_at text not null,
    used_at text
  )`,
  'create index passkeys_of_user on passkeys (user_id, created_at)',
  `create table challenges (
    challenge_hash text primary key,
    purpose text not null,
    user_id text,
    session_id text references sessions(id) on delete cascade,
    expires_at text not null
  )`,
  'create index challenges_by_end on challenges (expires_at)',
  'create index challenges_of_session on challenges (session_id)',
]

export const postgres: readonly string[] = [
  `create table passkeys (
    id text collate "C" primary key,
    user_id text collate "C" not null references users(id) on delete cascade,
    credential_id text collate "C" not null unique,
    public_key text collate "C" not null,
    counter bigint not null,
    transports text collate "C" not null,
    name text collate "C" not null,
    created_at text collate "C" not null,
    used_at text collate "C"
  )`,
  'create index passkeys_of_user on passkeys (user_id, created_at)',
  `create table challenges (
    challenge_hash text collate "C" primary key,
    purpose text collate "C" not null,
    user_id text collate "C",
    session_id text collate "C" references sessions(id) on delete cascade,
    expires_at text collate "C" not null
  )`,
  'create index challenges_by_end on challenges (expires_at)',
  'create index challenges_of_session on challenges (session_id)',
]
