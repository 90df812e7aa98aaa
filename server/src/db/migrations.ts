/**
 * The schema, forward only. Each migration runs once, all pending ones in one transaction; what
 * is in the list stays as it is for ever, changes are new entries at the end.
 */
import { COLLECTION_IDS } from '@stint/core/collections.ts'
import type { Attribute, CollectionId } from '@stint/core/collections.ts'
import type { Dialect } from './database.ts'
import { DatabaseRefused } from './database.ts'
import { ATTRIBUTE_COLUMNS, attributesOf } from './schema.ts'

/** The SQL statements of the migrations above `current`, each list one version up. */
export function pendingMigrations(dialect: Dialect, current: number): string[][] {
  if (current > MIGRATIONS.length) {
    throw new DatabaseRefused(
      `The database has schema ${current}, but this version of Stint knows only ${MIGRATIONS.length}. ` +
        'Run the newer version, or restore a backup made by this one.',
    )
  }
  return MIGRATIONS.slice(current).map((migration) => migration(dialect))
}

const MIGRATIONS: readonly ((dialect: Dialect) => string[])[] = [
  createTables,
  quickenReading,
  orderCreations,
  countDocuments,
]

/** The schema this version of the server works with. */
export const SCHEMA_VERSION = MIGRATIONS.length

function createTables(dialect: Dialect): string[] {
  const type = columnTypes(dialect)
  return [
    `create table users (
      id ${type.text} primary key,
      email ${type.text} not null unique,
      name ${type.text} not null,
      password_hash ${type.text} not null,
      password_updated_at ${type.text} not null,
      email_verified ${type.boolean} not null,
      active ${type.boolean} not null,
      prefs ${type.text} not null,
      created_at ${type.text} not null,
      updated_at ${type.text} not null,
      accessed_at ${type.text} not null
    )`,
    `create table sessions (
      id ${type.text} primary key,
      user_id ${type.text} not null references users(id) on delete cascade,
      token_hash ${type.text} not null unique,
      persistent ${type.boolean} not null,
      ip ${type.text} not null,
      user_agent ${type.text} not null,
      created_at ${type.text} not null,
      updated_at ${type.text} not null,
      seen_at ${type.text} not null,
      expires_at ${type.text} not null
    )`,
    'create index sessions_of_user on sessions (user_id, created_at)',
    `create table tokens (
      id ${type.text} primary key,
      user_id ${type.text} not null references users(id) on delete cascade,
      purpose ${type.text} not null,
      secret_hash ${type.text} not null,
      created_at ${type.text} not null,
      expires_at ${type.text} not null
    )`,
    'create index tokens_of_user on tokens (user_id, purpose)',
    `create table throttles (
      bucket ${type.text} primary key,
      resets_at ${type.integer} not null,
      hits ${type.integer} not null
    )`,
    'create index throttles_by_end on throttles (resets_at)',
    ...COLLECTION_IDS.map((collection) => documentTable(dialect, collection)),
    // What the product asks for: newest first, changed since, the tasks in use, one task's entries.
    ...COLLECTION_IDS.flatMap((collection) => [
      `create index ${collection}_by_creation on ${collection} (owner, created_at)`,
      `create index ${collection}_by_change on ${collection} (owner, updated_at)`,
    ]),
    'create index tasks_in_use on tasks (owner, is_active, created_at)',
    'create index time_entries_of_task on time_entries (owner, task_id, created_at)',
    // One timer per person, whoever starts it, however many devices race (reliability 4.3).
    `create unique index one_active on timer_sessions (owner)
      where end_time is null and (is_running or is_paused)`,
  ]
}

/** What PostgreSQL tells all processes when accounts change. */
export const ACCOUNTS_CHANGED = 'accounts changed'

function quickenReading(dialect: Dialect): string[] {
  return dialect.name === 'sqlite' ? newestFirst() : announceAccounts()
}

/** In SQLite, ties are in the order of their sequence only when the index is read forwards. */
function newestFirst(): string[] {
  return COLLECTION_IDS.flatMap((collection) => [
    `drop index ${collection}_by_creation`,
    `create index ${collection}_by_creation on ${collection} (owner, created_at desc)`,
  ])
}

/**
 * PostgreSQL sorts nothing when an index is in the very order of the newest first, ties included,
 * and takes it for that even while it knows nothing yet of how much there is.
 */
function orderCreations({ name }: Dialect): string[] {
  if (name === 'sqlite') return []
  return COLLECTION_IDS.flatMap((collection) => [
    `drop index ${collection}_by_creation`,
    `create index ${collection}_by_creation on ${collection} (owner, created_at desc, sequence)`,
  ])
}

/**
 * PostgreSQL itself tells the processes that share it when somebody may no longer do what they
 * could, whoever changed it and however; so each may remember who is signed in. On SQLite there is
 * one process, which sees that the file changed.
 */
function announceAccounts(): string[] {
  const announce = 'for each row execute function announce_accounts()'
  return [
    `create function announce_accounts() returns trigger language plpgsql as $$
      begin
        perform pg_notify(left('stint_' || tg_table_schema, 63), '${ACCOUNTS_CHANGED}');
        return null;
      end $$`,
    `create trigger users_changed after delete or
      update of id, email, name, password_hash, password_updated_at, email_verified, active, prefs,
        created_at, updated_at
      on users ${announce}`,
    `create trigger sessions_changed after delete or
      update of id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, expires_at
      on sessions ${announce}`,
  ]
}

/** The tables whose rows count, as this migration found them. */
const COUNTED = ['tasks', 'timer_sessions', 'time_entries']

/** What the errors of the triggers begin with; what follows names the quota. */
export const QUOTA_EXCEEDED = 'stint quota of '
/** The SQLSTATE of these errors in PostgreSQL. */
export const QUOTA_EXCEEDED_STATE = 'STQ01'

/**
 * What each owner's documents are and take, kept by the statement that changes them, whoever runs it;
 * and the quota, in one row, beyond which it fails.
 */
function countDocuments({ name }: Dialect): string[] {
  return name === 'sqlite' ? countInSqlite() : countInPostgres()
}

function countInSqlite(): string[] {
  return [
    `create table document_usage (
      owner text primary key references users(id) on delete cascade,
      documents integer not null,
      bytes integer not null
    ) without rowid`,
    'create table document_quota (id integer primary key, documents integer, bytes integer)',
    'insert into document_quota values (1, null, null)',
    `insert into document_usage
      select owner, count(*), sum(octet_length(body)) from (
        select owner, body from tasks
        union all select owner, body from timer_sessions
        union all select owner, body from time_entries) group by owner`,
    ...COUNTED.flatMap((table) => [
      `create trigger ${table}_created after insert on ${table} begin
        insert into document_usage values (new.owner, 1, octet_length(new.body))
          on conflict (owner) do update
          set documents = documents + 1, bytes = bytes + octet_length(new.body);
        select case
            when used.documents > quota.documents then raise(abort, '${QUOTA_EXCEEDED}documents')
            when used.bytes > quota.bytes then raise(abort, '${QUOTA_EXCEEDED}bytes')
          end
          from document_quota as quota, document_usage as used
          where quota.id = 1 and used.owner = new.owner;
      end`,
      `create trigger ${table}_resized after update of body on ${table}
        when octet_length(new.body) <> octet_length(old.body) begin
        update document_usage
          set bytes = bytes + octet_length(new.body) - octet_length(old.body)
          where owner = new.owner;
        select raise(abort, '${QUOTA_EXCEEDED}bytes')
          from document_quota as quota, document_usage as used
          where quota.id = 1 and used.owner = new.owner and used.bytes > quota.bytes
            and octet_length(new.body) > octet_length(old.body);
      end`,
      `create trigger ${table}_deleted after delete on ${table} begin
        update document_usage
          set documents = documents - 1, bytes = bytes - octet_length(old.body)
          where owner = old.owner;
      end`,
    ]),
  ]
}

/**
 * In PostgreSQL each connection counts in a row of its own as far as there are 32, since one row of an
 * owner would make all who write wait for each other's COMMIT. What is being committed by others is not
 * in the sum yet: an owner who may be at the quota by that is counted alone, in turn.
 */
function countInPostgres(): string[] {
  return [
    `create table document_usage (
      owner text collate "C" not null references users(id) on delete cascade,
      place smallint not null,
      documents bigint not null,
      bytes bigint not null,
      primary key (owner, place)
    ) with (fillfactor = 70)`,
    'create table document_quota (id integer primary key, documents bigint, bytes bigint)',
    'insert into document_quota values (1, null, null)',
    `insert into document_usage
      select owner, 0, count(*), sum(octet_length(body)) from (
        select owner, body from tasks
        union all select owner, body from timer_sessions
        union all select owner, body from time_entries) as documents group by owner`,
    // Two queries for a statement, since an import has a statement for each document.
    `create function count_created() returns trigger language plpgsql as $$
      declare
        near text[];
      begin
        insert into document_usage as kept
          select owner, pg_backend_pid() % 32, count(*), sum(octet_length(body))
            from created group by owner order by owner
          on conflict (owner, place) do update
          set documents = kept.documents + excluded.documents, bytes = kept.bytes + excluded.bytes;
        select array_agg(used.owner order by used.owner) into near
          from document_quota as quota, (
            select owner, sum(documents) as documents, sum(bytes) as bytes from document_usage
              where owner in (select owner from created) group by owner) as used
          where quota.id = 1
            and (used.documents > quota.documents - 20000 or used.bytes > quota.bytes - 67108864);
        if near is not null then
          perform refuse_beyond_quota(near, true);
        end if;
        return null;
      end $$`,
    `create function refuse_beyond_quota(owners text[], has_more boolean) returns void
      language plpgsql as $$
      declare
        each text;
        too_much text;
      begin
        foreach each in array owners loop
          perform pg_advisory_xact_lock(1937010292, hashtext(each));
          select case
              when has_more and sum(used.documents) > min(quota.documents) then 'documents'
              when sum(used.bytes) > min(quota.bytes) then 'bytes'
            end into too_much
            from document_quota as quota, document_usage as used
            where quota.id = 1 and used.owner = each;
          if too_much is not null then
            raise exception '${QUOTA_EXCEEDED}%', too_much using errcode = '${QUOTA_EXCEEDED_STATE}';
          end if;
        end loop;
      end $$`,
    `create function count_resized() returns trigger language plpgsql as $$
      declare
        more bigint := octet_length(new.body) - octet_length(old.body);
      begin
        insert into document_usage as kept values (new.owner, pg_backend_pid() % 32, 0, more)
          on conflict (owner, place) do update set bytes = kept.bytes + excluded.bytes;
        if more > 0 and (select sum(used.bytes) > min(quota.bytes) - 67108864
            from document_quota as quota, document_usage as used
            where quota.id = 1 and used.owner = new.owner) then
          perform refuse_beyond_quota(array[new.owner], false);
        end if;
        return null;
      end $$`,
    // Whoever is being deleted has nothing to count in any more.
    `create function count_deleted() returns trigger language plpgsql as $$
      begin
        insert into document_usage as kept
          select owner, pg_backend_pid() % 32, -count(*), -sum(octet_length(body))
            from deleted join users on users.id = deleted.owner group by owner order by owner
          on conflict (owner, place) do update
          set documents = kept.documents + excluded.documents, bytes = kept.bytes + excluded.bytes;
        return null;
      end $$`,
    ...COUNTED.flatMap((table) => [
      `create trigger ${table}_created after insert on ${table} referencing new table as created
        for each statement execute function count_created()`,
      `create trigger ${table}_resized after update on ${table} for each row
        when (octet_length(new.body) <> octet_length(old.body)) execute function count_resized()`,
      `create trigger ${table}_deleted after delete on ${table} referencing old table as deleted
        for each statement execute function count_deleted()`,
    ]),
  ]
}

function documentTable(dialect: Dialect, collection: CollectionId): string {
  const type = columnTypes(dialect)
  const columns = [...(ATTRIBUTE_COLUMNS.get(collection) ?? [])]
    .filter(([attribute]) => attribute !== 'userId')
    .map(([attribute, column]) => {
      const declared = attributesOf(collection).get(attribute)
      return declared === undefined ? '' : `${column} ${attributeColumn(declared)}`
    })
  // Another person's id is neither taken nor visible: the key is (owner, id) (design 4). In SQLite
  // `sequence` is declared the primary key, since that makes it the row's own number.
  const key =
    dialect.name === 'sqlite'
      ? ['sequence integer primary key autoincrement', 'unique (owner, id)']
      : ['sequence bigint generated always as identity unique', 'primary key (owner, id)']
  return `create table ${collection} (
    ${key[0]},
    owner ${type.text} not null references users(id) on delete cascade,
    id ${type.text} not null,
    created_at ${type.text} not null,
    updated_at ${type.text} not null,
    ${columns.join(',\n    ')},
    body ${type.text} not null,
    ${key[1]}
  )`

  function attributeColumn(attribute: Attribute): string {
    const nullable = attribute.required || 'default' in attribute ? ' not null' : ''
    switch (attribute.type) {
      case 'string':
      case 'datetime':
        return type.text + nullable
      case 'integer':
        return type.integer + nullable
      case 'double':
        return type.double + nullable
      case 'boolean':
        return type.boolean + nullable
    }
  }
}

/** Text compares by bytes in both databases, so that both sort alike. */
function columnTypes(dialect: Dialect) {
  return dialect.name === 'sqlite'
    ? { text: 'text', integer: 'integer', double: 'real', boolean: 'boolean' }
    : {
        text: 'text collate "C"',
        integer: 'bigint',
        double: 'double precision',
        boolean: 'boolean',
      }
}
