/**
 * The devices that show the running timer as a notification, and the key with which the server signs what it sends them.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table push_keys (
    id integer primary key check (id = 1),
    private_key text not null
  )`,
  `create table push_subscriptions (
    session_id text primary key references sessions(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    with_names boolean not null,
    told text,
    created_at text not null,
    due_at text,
    tries integer not null
  )`,
  'create index push_subscriptions_of_user on push_subscriptions (user_id)',
  'create index push_subscriptions_due on push_subscriptions (due_at) where due_at is not null',
]

export const postgres: readonly string[] = [
  `create table push_keys (
    id integer primary key check (id = 1),
    private_key text collate "C" not null
  )`,
  `create table push_subscriptions (
    session_id text collate "C" primary key references sessions(id) on delete cascade,
    user_id text collate "C" not null references users(id) on delete cascade,
    endpoint text collate "C" not null unique,
    p256dh text collate "C" not null,
    auth text collate "C" not null,
    with_names boolean not null,
    told text collate "C",
    created_at text collate "C" not null,
    due_at text collate "C",
    tries integer not null
  )`,
  'create index push_subscriptions_of_user on push_subscriptions (user_id)',
  'create index push_subscriptions_due on push_subscriptions (due_at) where due_at is not null',
]
