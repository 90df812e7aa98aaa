-- A database of schema 12 with data, as its version of Stint wrote it. Never edit it.
create table users (
    id text collate "C" primary key,
    email text collate "C" not null unique,
    name text collate "C" not null,
    password_hash text collate "C" not null,
    password_updated_at text collate "C" not null,
    email_verified boolean not null,
    active boolean not null,
    prefs text collate "C" not null,
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    accessed_at text collate "C" not null
  );
create table sessions (
    id text collate "C" primary key,
    user_id text collate "C" not null references users(id) on delete cascade,
    token_hash text collate "C" not null unique,
    persistent boolean not null,
    ip text collate "C" not null,
    user_agent text collate "C" not null,
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    seen_at text collate "C" not null,
    expires_at text collate "C" not null
  );
create index sessions_of_user on sessions (user_id, created_at);
create table tokens (
    id text collate "C" primary key,
    user_id text collate "C" not null references users(id) on delete cascade,
    purpose text collate "C" not null,
    secret_hash text collate "C" not null,
    created_at text collate "C" not null,
    expires_at text collate "C" not null
  );
create index tokens_of_user on tokens (user_id, purpose);
create table throttles (
    bucket text collate "C" primary key,
    resets_at bigint not null,
    hits bigint not null
  );
create index throttles_by_end on throttles (resets_at);
create table tasks (
    sequence bigint generated always as identity unique,
    owner text collate "C" not null references users(id) on delete cascade,
    id text collate "C" not null,
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    name text collate "C" not null,
    is_active boolean not null,
    category text collate "C" not null,
    goal_hours double precision not null,
    total_time bigint not null,
    today_time bigint not null,
    color text collate "C" not null,
    body text collate "C" not null,
    primary key (owner, id)
  );
create table timer_sessions (
    sequence bigint generated always as identity unique,
    owner text collate "C" not null references users(id) on delete cascade,
    id text collate "C" not null,
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    task_id text collate "C" not null,
    start_time text collate "C",
    is_running boolean not null,
    is_paused boolean not null,
    current_pause_start text collate "C",
    pause_duration_seconds bigint not null,
    end_time text collate "C",
    pauses text collate "C",
    device text collate "C",
    body text collate "C" not null,
    primary key (owner, id)
  );
create table time_entries (
    sequence bigint generated always as identity unique,
    owner text collate "C" not null references users(id) on delete cascade,
    id text collate "C" not null,
    created_at text collate "C" not null,
    updated_at text collate "C" not null,
    task_id text collate "C" not null,
    start_time text collate "C" not null,
    end_time text collate "C" not null,
    entry_type text collate "C" not null,
    duration_seconds bigint not null,
    date text collate "C",
    session_id text collate "C",
    pauses text collate "C",
    note text collate "C",
    deleted_at text collate "C",
    body text collate "C" not null,
    primary key (owner, id)
  );
create index tasks_by_creation on tasks (owner, created_at);
create index tasks_by_change on tasks (owner, updated_at);
create index timer_sessions_by_creation on timer_sessions (owner, created_at);
create index timer_sessions_by_change on timer_sessions (owner, updated_at);
create index time_entries_by_creation on time_entries (owner, created_at);
create index time_entries_by_change on time_entries (owner, updated_at);
create index tasks_in_use on tasks (owner, is_active, created_at);
create index time_entries_of_task on time_entries (owner, task_id, created_at);
create unique index one_active on timer_sessions (owner)
    where end_time is null and (is_running or is_paused);
create function announce_accounts() returns trigger language plpgsql as $$
    begin
    perform pg_notify(left('stint_' || tg_table_schema, 63), 'accounts changed');
    return null;
    end $$;
create trigger users_changed after delete or
    update of id, email, name, password_hash, password_updated_at, email_verified, active, prefs,
    created_at, updated_at
    on users for each row execute function announce_accounts();
create trigger sessions_changed after delete or
    update of id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, expires_at
    on sessions for each row execute function announce_accounts();
drop index tasks_by_creation;
create index tasks_by_creation on tasks (owner, created_at desc, sequence);
drop index timer_sessions_by_creation;
create index timer_sessions_by_creation on timer_sessions (owner, created_at desc, sequence);
drop index time_entries_by_creation;
create index time_entries_by_creation on time_entries (owner, created_at desc, sequence);
create table document_usage (
      owner text collate "C" not null,
      place smallint not null,
      documents bigint not null,
      bytes bigint not null,
      primary key (owner, place)
    ) with (fillfactor = 70);
create table document_quota (id integer primary key, documents bigint, bytes bigint);
insert into document_quota values (1, null, null);
insert into document_usage
    select owner, 0, count(*), sum(octet_length(body)) from (
      select owner, body from tasks
      union all select owner, body from timer_sessions
      union all select owner, body from time_entries) as documents group by owner;
create function count_created() returns trigger language plpgsql as $$
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
    end $$;
create function refuse_beyond_quota(owners text[], has_more boolean) returns void
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
          raise exception 'stint quota of %', too_much using errcode = 'STQ01';
        end if;
      end loop;
    end $$;
create function count_resized() returns trigger language plpgsql as $$
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
    end $$;
create function count_deleted() returns trigger language plpgsql as $$
    begin
      insert into document_usage as kept
        select owner, pg_backend_pid() % 32, -count(*), -sum(octet_length(body))
          from deleted join users on users.id = deleted.owner group by owner order by owner
        on conflict (owner, place) do update
        set documents = kept.documents + excluded.documents, bytes = kept.bytes + excluded.bytes;
      return null;
    end $$;
create trigger tasks_created after insert on tasks referencing new table as created
    for each statement execute function count_created();
create trigger tasks_resized after update on tasks for each row
    when (octet_length(new.body) <> octet_length(old.body)) execute function count_resized();
create trigger tasks_deleted after delete on tasks referencing old table as deleted
    for each statement execute function count_deleted();
create trigger timer_sessions_created after insert on timer_sessions referencing new table as created
    for each statement execute function count_created();
create trigger timer_sessions_resized after update on timer_sessions for each row
    when (octet_length(new.body) <> octet_length(old.body)) execute function count_resized();
create trigger timer_sessions_deleted after delete on timer_sessions referencing old table as deleted
    for each statement execute function count_deleted();
create trigger time_entries_created after insert on time_entries referencing new table as created
    for each statement execute function count_created();
create trigger time_entries_resized after update on time_entries for each row
    when (octet_length(new.body) <> octet_length(old.body)) execute function count_resized();
create trigger time_entries_deleted after delete on time_entries referencing old table as deleted
    for each statement execute function count_deleted();
create function forget_usage() returns trigger language plpgsql as $$
    begin
      delete from document_usage where owner = old.id;
      return null;
    end $$;
create trigger usage_forgotten after delete on users
    for each row execute function forget_usage();
update document_quota set documents = null, bytes = null;
alter table timer_sessions add column note text collate "C";
update timer_sessions set body = left(body, -1) || ',"note":null}';
create table keys (
    id text collate "C" primary key,
    user_id text collate "C" not null references users(id) on delete cascade,
    name text collate "C" not null,
    access text collate "C" not null,
    secret_hash text collate "C" not null unique,
    created_at text collate "C" not null,
    not_before text collate "C",
    used_at text collate "C"
  );
create index keys_of_user on keys (user_id, created_at);
create table key_answers (
    key_id text collate "C" not null references keys(id) on delete cascade,
    name text collate "C" not null,
    call_hash text collate "C" not null,
    status integer not null,
    body text collate "C" not null,
    created_at text collate "C" not null,
    primary key (key_id, name)
  );
create table feeds (
    user_id text collate "C" primary key references users(id) on delete cascade,
    secret_hash text collate "C" not null unique,
    created_at text collate "C" not null
  );
create table webhooks (
    key_id text collate "C" primary key references keys(id) on delete cascade,
    user_id text collate "C" not null references users(id) on delete cascade,
    url text collate "C" not null,
    secret text collate "C" not null,
    timer text collate "C",
    created_at text collate "C" not null
  );
create index webhooks_of_user on webhooks (user_id);
create table deliveries (
    id text collate "C" primary key,
    key_id text collate "C" not null references webhooks(key_id) on delete cascade,
    event text collate "C" not null,
    body text collate "C" not null,
    status text collate "C" not null,
    tries integer not null,
    answer text collate "C",
    created_at text collate "C" not null,
    next_try_at text collate "C"
  );
create index deliveries_of_webhook on deliveries (key_id, id);
create index deliveries_by_next_try on deliveries (next_try_at) where next_try_at is not null;
create table proposals (
    id text collate "C" primary key,
    user_id text collate "C" not null references users(id) on delete cascade,
    key_name text collate "C" not null,
    reason text collate "C" not null,
    changes text collate "C" not null,
    created_at text collate "C" not null
  );
create index proposals_of_user on proposals (user_id, created_at);
create table invites (
    id text collate "C" primary key,
    secret_hash text collate "C" not null unique,
    email text collate "C",
    created_at text collate "C" not null,
    expires_at text collate "C" not null
  );
create table identities (
    issuer text collate "C" not null,
    subject text collate "C" not null,
    user_id text collate "C" not null references users(id) on delete cascade,
    created_at text collate "C" not null,
    primary key (issuer, subject)
  );
create index identities_of_user on identities (user_id);
alter table sessions add column provider text collate "C" not null default 'email';
alter table sessions add column provider_uid text collate "C";
update document_quota set documents = null, bytes = null;
alter table timer_sessions add column log text collate "C";
alter table time_entries add column log text collate "C";
update timer_sessions set body = left(body, -1) || ',"log":null}';
update time_entries set body = left(body, -1) || ',"log":null}';
create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
create table stint_schema (version integer not null);
truncate document_quota;
set session_replication_role = replica;
insert into deliveries (id, key_id, event, body, status, tries, answer, created_at, next_try_at) overriding system value values ('msg_hevhexy4g0_b1a1aca8bc1a873d3b', '6968e4d000000a8eef7c', 'timer.stopped', '{"type":"timer.stopped","timestamp":"2026-01-15T13:00:00.000Z","data":{"id":"logged","taskId":"report","task":"Write report","note":null,"start":"2026-01-15T09:00:00.000Z","end":"2026-01-15T10:00:00.000Z","seconds":3600}}', 'waiting', 1, 'ECONNREFUSED', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:30.000+00:00');
insert into deliveries (id, key_id, event, body, status, tries, answer, created_at, next_try_at) overriding system value values ('msg_hevhexy4g1_2a067827a25fc314bd', '6968e4d000000a8eef7c', 'timer.started', '{"type":"timer.started","timestamp":"2026-01-15T13:00:00.000Z","data":{"id":"running","taskId":"report","task":"Write report","note":"with #tag","start":"2026-01-15T12:30:00.000Z"}}', 'waiting', 1, 'ECONNREFUSED', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:30.000+00:00');
insert into document_quota (id, documents, bytes) overriding system value values (1, 1000000, 1073741824);
insert into document_usage (owner, place, documents, bytes) overriding system value values ('6968d6c0000006d172f3', 0, 2, 1043);
insert into document_usage (owner, place, documents, bytes) overriding system value values ('6968d6c0000006d172f3', 12, 0, 11);
insert into document_usage (owner, place, documents, bytes) overriding system value values ('6968d6c000000b07a7aa', 0, 8, 4371);
insert into document_usage (owner, place, documents, bytes) overriding system value values ('6968d6c000000b07a7aa', 12, 0, 67);
insert into document_usage (owner, place, documents, bytes) overriding system value values ('6968d6c000000b07a7aa', 31, 1, 669);
insert into document_usage (owner, place, documents, bytes) overriding system value values ('6968d6c000000b07a7aa', 3, 0, 7);
insert into feeds (user_id, secret_hash, created_at) overriding system value values ('6968d6c000000b07a7aa', '1fab0ec03f7b0b5f2adaeba4c5a1ef203dff011fd6b22f31e86a0d97196d4b3b', '2026-01-15T13:00:00.000+00:00');
insert into keys (id, user_id, name, access, secret_hash, created_at, not_before, used_at) overriding system value values ('6968e4d000000a8eef7c', '6968d6c000000b07a7aa', 'Shell', 'write', '50f20f4aab873e5f59e4d20e7b7fe0607169045f5ef82871c53422c179fade11', '2026-01-15T13:00:00.000+00:00', null, '2026-01-15T13:00:00.000+00:00');
insert into kysely_migration (name, timestamp) overriding system value values ('0001-tables', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0002-newest-first', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0003-order-of-creation', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0004-quota', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0005-session-notes', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0006-keys', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0007-key-answers', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0008-feeds', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0009-webhooks', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0010-proposals', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0011-ways-in', '2026-01-15T13:00:00.000Z');
insert into kysely_migration (name, timestamp) overriding system value values ('0012-log', '2026-01-15T13:00:00.000Z');
insert into kysely_migration_lock (id, is_locked) overriding system value values ('migration_lock', 0);
insert into proposals (id, user_id, key_name, reason, changes, created_at) overriding system value values ('6968e4d000000306adb9', '6968d6c000000b07a7aa', 'Shell', 'canary', '[{"kind":"add","id":null,"seenAt":null,"taskId":null,"newTask":"Proposed","startedAt":1767340800000,"endedAt":1767344400000,"note":null}]', '2026-01-15T13:00:00.000+00:00');
insert into sessions (id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, seen_at, expires_at, provider, provider_uid) overriding system value values ('6968d6c00000056c9f75', '6968d6c0000006d172f3', 'a756815d0acc79363699fbef858adbb8668c2e2eda6fef059fd1040112c3de5a', true, '127.0.0.1', 'lightMyRequest', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-04-15T12:00:00.000+00:00', 'email', null);
insert into sessions (id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, seen_at, expires_at, provider, provider_uid) overriding system value values ('6968d6c0000007b43967', '6968d6c000000b07a7aa', '79928f721b574e6ea8b8485ffc84c07b121d3a9a7bfc03c74d5ccafa7a952ff0', true, '127.0.0.1', 'lightMyRequest', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-04-15T12:00:00.000+00:00', 'email', null);
insert into sessions (id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, seen_at, expires_at, provider, provider_uid) overriding system value values ('6968e4d00000010d3dbd', '6968d6c000000b07a7aa', '63f478a07a6b49aa21a8cc7053731a5a803b3b8300ef84f24498ea340c921ac0', true, '127.0.0.1', 'lightMyRequest', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-04-15T13:00:00.000+00:00', 'email', null);
insert into stint_schema (version) overriding system value values (12);
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (1, '6968d6c000000b07a7aa', 'report', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Write report', true, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Write report","userId":"6968d6c000000b07a7aa","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (2, '6968d6c000000b07a7aa', 'hiring', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Hiring''s "round" 2 \ 世界', true, 'Meetings', 2.5, 7200, 60, 'bg-teal-500', ',"$id":"hiring","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Hiring''s \"round\" 2 \\ 世界","userId":"6968d6c000000b07a7aa","isActive":true,"category":"Meetings","goalHours":2.5,"totalTime":7200,"todayTime":60,"color":"bg-teal-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (3, '6968d6c000000b07a7aa', 'archived', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Archived', false, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"archived","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Archived","userId":"6968d6c000000b07a7aa","isActive":false,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (4, '6968d6c0000006d172f3', 'report', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Another person’s task of the same id', true, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c0000006d172f3\")","update(\"user:6968d6c0000006d172f3\")","delete(\"user:6968d6c0000006d172f3\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Another person’s task of the same id","userId":"6968d6c0000006d172f3","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into throttles (bucket, resets_at, hits) overriding system value values ('sign-in 127.0.0.1 ann@example.com', 1768485600, 3);
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body, log) overriding system value values (1, '6968d6c000000b07a7aa', 'plain', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:01:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 5400, '2026-01-14T08:00:00.000+00:00', 'plain', null, 'edited', null, ',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:01:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"plain","pauses":null,"note":"edited","deletedAt":null,"log":null}', null);
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body, log) overriding system value values (2, '6968d6c000000b07a7aa', 'paused', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 4800, '2026-01-14T08:00:00.000+00:00', 'paused', '[["2026-01-14T08:10:00.000Z","2026-01-14T08:20:00.000Z"]]', 'line one
line two, "quoted"; \ 世界', null, ',"$id":"paused","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":4800,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"paused","pauses":"[[\"2026-01-14T08:10:00.000Z\",\"2026-01-14T08:20:00.000Z\"]]","note":"line one\nline two, \"quoted\"; \\ 世界","deletedAt":null,"log":null}', null);
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body, log) overriding system value values (3, '6968d6c000000b07a7aa', 'deleted', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'manual', 5400, '2026-01-14T08:00:00.000+00:00', null, null, null, '2026-01-14T10:00:00.000+00:00', ',"$id":"deleted","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"manual","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":"2026-01-14T10:00:00.000+00:00","log":null}', null);
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body, log) overriding system value values (4, '6968d6c000000b07a7aa', 'zero', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T08:00:00.000+00:00', 'timer', 0, '2026-01-14T08:00:00.000+00:00', null, null, null, null, ',"$id":"zero","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T08:00:00.000+00:00","entryType":"timer","durationSeconds":0,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null,"log":null}', null);
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body, log) overriding system value values (5, '6968d6c0000006d172f3', 'plain', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 5400, '2026-01-14T08:00:00.000+00:00', null, null, null, null, ',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c0000006d172f3\")","update(\"user:6968d6c0000006d172f3\")","delete(\"user:6968d6c0000006d172f3\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c0000006d172f3","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null,"log":null}', null);
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body, log) overriding system value values (1001, '6968d6c000000b07a7aa', 'logged', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-15T09:00:00.000+00:00', '2026-01-15T10:00:00.000+00:00', 'timer', 3600, null, 'logged', null, null, null, ',"$id":"logged","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-15T09:00:00.000+00:00","endTime":"2026-01-15T10:00:00.000+00:00","entryType":"timer","durationSeconds":3600,"date":null,"sessionId":"logged","pauses":null,"note":null,"deletedAt":null,"log":"[1,1768467600000,[\"device\"],[[0,1,0,0,0,0,\"start\",\"report\",null,\"Phone\"],[0,2,3600000,0,0,0,\"stop\"]]]"}', '[1,1768467600000,["device"],[[0,1,0,0,0,0,"start","report",null,"Phone"],[0,2,3600000,0,0,0,"stop"]]]');
insert into timer_sessions (sequence, owner, id, created_at, updated_at, task_id, start_time, is_running, is_paused, current_pause_start, pause_duration_seconds, end_time, pauses, device, body, note, log) overriding system value values (1, '6968d6c000000b07a7aa', 'running', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.001+00:00', 'report', '2026-01-15T12:30:00.000+00:00', true, false, null, 300, null, '[["2026-01-15T12:40:00.000Z","2026-01-15T12:45:00.000Z"]]', 'Firefox on Linux', ',"$id":"running","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.001+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"timer_sessions","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-15T12:30:00.000+00:00","isRunning":true,"isPaused":false,"currentPauseStart":null,"pauseDurationSeconds":300,"endTime":null,"pauses":"[[\"2026-01-15T12:40:00.000Z\",\"2026-01-15T12:45:00.000Z\"]]","device":"Firefox on Linux","note":"with #tag","log":null}', 'with #tag', null);
insert into tokens (id, user_id, purpose, secret_hash, created_at, expires_at) overriding system value values ('token', '6968d6c000000b07a7aa', 'recovery', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2026-01-15T13:00:00.000+00:00', '2026-01-15T14:00:00.000+00:00');
insert into users (id, email, name, password_hash, password_updated_at, email_verified, active, prefs, created_at, updated_at, accessed_at) overriding system value values ('6968d6c0000006d172f3', 'bob@example.com', 'Bob', '$argon2id$v=19$m=64,t=1,p=1$x52UanvDiT8x8yQJJVpQ1w$f4D0wUW+vsCIhDOlcdlFqcg2y7jjVHHCXjSZpk2Thbk', '2026-01-15T12:00:00.000+00:00', false, true, '{}', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00');
insert into users (id, email, name, password_hash, password_updated_at, email_verified, active, prefs, created_at, updated_at, accessed_at) overriding system value values ('6968d6c000000b07a7aa', 'ann@example.com', 'Ann', '$argon2id$v=19$m=64,t=1,p=1$kNfE+JZ1/ABWltf1P4W3nw$DaVRIEvuanZqp5fV7x2yZ2ULulFTEqVFnnZRNyYpj5o', '2026-01-15T12:00:00.000+00:00', false, true, '{"theme":"dark","weekStart":1,"note":"ünïcode “quotes” '' ; --"}', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00');
insert into webhooks (key_id, user_id, url, secret, timer, created_at) overriding system value values ('6968e4d000000a8eef7c', '6968d6c000000b07a7aa', 'http://127.0.0.1:1/', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'running running', '2026-01-15T13:00:00.000+00:00');
reset session_replication_role;
select setval(pg_get_serial_sequence('tasks', 'sequence'), 1000);
select setval(pg_get_serial_sequence('timer_sessions', 'sequence'), 1000);
select setval(pg_get_serial_sequence('time_entries', 'sequence'), 1000);
