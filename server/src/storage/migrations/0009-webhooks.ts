/**
 * The addresses that hear of changes, one for each key, and what is or was sent there.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  `create table webhooks (
    key_id text primary key references keys(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    url text not null,
    secret text not null,
    timer text,
    created_at text not null
  )`,
  'create index webhooks_of_user on webhooks (user_id)',
  `create table deliveries (
    id text primary key,
    key_id text not null references webhooks(key_id) on delete cascade,
    event text not null,
    body text not null,
    status text not null,
    tries integer not null,
    answer text,
    created_at text not null,
    next_try_at text
  )`,
  'create index deliveries_of_webhook on deliveries (key_id, id)',
  'create index deliveries_by_next_try on deliveries (next_try_at) where next_try_at is not null',
]

export const postgres: readonly string[] = [
  `create table webhooks (
    key_id text collate "C" primary key references keys(id) on delete cascade,
    user_id text collate "C" not null references users(id) on delete cascade,
    url text collate "C" not null,
    secret text collate "C" not null,
    timer text collate "C",
    created_at text collate "C" not null
  )`,
  'create index webhooks_of_user on webhooks (user_id)',
  `create table deliveries (
    id text collate "C" primary key,
    key_id text collate "C" not null references webhooks(key_id) on delete cascade,
    event text collate "C" not null,
    body text collate "C" not null,
    status text collate "C" not null,
    tries integer not null,
    answer text collate "C",
    created_at text collate "C" not null,
    next_try_at text collate "C"
  )`,
  'create index deliveries_of_webhook on deliveries (key_id, id)',
  'create index deliveries_by_next_try on deliveries (next_try_at) where next_try_at is not null',
]
