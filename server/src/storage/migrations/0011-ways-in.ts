/**
 * Invitations, the people of other systems that accounts are linked to, and how each session began.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table invites (
    id text primary key,
    secret_hash text not null unique,
    email text,
    created_at text not null,
    expires_at text not null
  )`,
  `create table identities (
    issuer text not null,
    subject text not null,
    user_id text not null references users(id) on delete cascade,
    created_at text not null,
    primary key (issuer, subject)
  )`,
  'create index identities_of_user on identities (user_id)',
  `alter table sessions add column provider text not null default 'email'`,
  'alter table sessions add column provider_uid text',
]

export const postgres: readonly string[] = [
  `create table invites (
    id text collate "C" primary key,
    secret_hash text collate "C" not null unique,
    email text collate "C",
    created_at text collate "C" not null,
    expires_at text collate "C" not null
  )`,
  `create table identities (
    issuer text collate "C" not null,
    subject text collate "C" not null,
    user_id text collate "C" not null references users(id) on delete cascade,
    created_at text collate "C" not null,
    primary key (issuer, subject)
  )`,
  'create index identities_of_user on identities (user_id)',
  `alter table sessions add column provider text collate "C" not null default 'email'`,
  'alter table sessions add column provider_uid text collate "C"',
]
