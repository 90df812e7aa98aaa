/**
 * The number and the size of each owner's documents, updated by every statement that changes them;
 * and the quota, in one row, beyond which the statement fails. In PostgreSQL each connection counts
 * in one of 32 rows of an owner: with one row, all writes of the owner would wait for each other's
 * COMMIT. Near the quota they count one after the other.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
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
  `create trigger tasks_created after insert on tasks begin
      insert into document_usage values (new.owner, 1, octet_length(new.body))
        on conflict (owner) do update
        set documents = documents + 1, bytes = bytes + octet_length(new.body);
      select case
          when used.documents > quota.documents then raise(abort, 'stint quota of documents')
          when used.bytes > quota.bytes then raise(abort, 'stint quota of bytes')
        end
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner;
    end`,
  `create trigger tasks_resized after update of body on tasks
      when octet_length(new.body) <> octet_length(old.body) begin
      update document_usage
        set bytes = bytes + octet_length(new.body) - octet_length(old.body)
        where owner = new.owner;
      select raise(abort, 'stint quota of bytes')
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner and used.bytes > quota.bytes
          and octet_length(new.body) > octet_length(old.body);
    end`,
  `create trigger tasks_deleted after delete on tasks begin
      update document_usage
        set documents = documents - 1, bytes = bytes - octet_length(old.body)
        where owner = old.owner;
    end`,
  `create trigger timer_sessions_created after insert on timer_sessions begin
      insert into document_usage values (new.owner, 1, octet_length(new.body))
        on conflict (owner) do update
        set documents = documents + 1, bytes = bytes + octet_length(new.body);
      select case
          when used.documents > quota.documents then raise(abort, 'stint quota of documents')
          when used.bytes > quota.bytes then raise(abort, 'stint quota of bytes')
        end
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner;
    end`,
  `create trigger timer_sessions_resized after update of body on timer_sessions
      when octet_length(new.body) <> octet_length(old.body) begin
      update document_usage
        set bytes = bytes + octet_length(new.body) - octet_length(old.body)
        where owner = new.owner;
      select raise(abort, 'stint quota of bytes')
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner and used.bytes > quota.bytes
          and octet_length(new.body) > octet_length(old.body);
    end`,
  `create trigger timer_sessions_deleted after delete on timer_sessions begin
      update document_usage
        set documents = documents - 1, bytes = bytes - octet_length(old.body)
        where owner = old.owner;
    end`,
  `create trigger time_entries_created after insert on time_entries begin
      insert into document_usage values (new.owner, 1, octet_length(new.body))
        on conflict (owner) do update
        set documents = documents + 1, bytes = bytes + octet_length(new.body);
      select case
          when used.documents > quota.documents then raise(abort, 'stint quota of documents')
          when used.bytes > quota.bytes then raise(abort, 'stint quota of bytes')
        end
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner;
    end`,
  `create trigger time_entries_resized after update of body on time_entries
      when octet_length(new.body) <> octet_length(old.body) begin
      update document_usage
        set bytes = bytes + octet_length(new.body) - octet_length(old.body)
        where owner = new.owner;
      select raise(abort, 'stint quota of bytes')
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner and used.bytes > quota.bytes
          and octet_length(new.body) > octet_length(old.body);
    end`,
  `create trigger time_entries_deleted after delete on time_entries begin
      update document_usage
        set documents = documents - 1, bytes = bytes - octet_length(old.body)
        where owner = old.owner;
    end`,
]

export const postgres: readonly string[] = [
  `create table document_usage (
      owner text collate "C" not null,
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
          raise exception 'stint quota of %', too_much using errcode = 'STQ01';
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
  `create function count_deleted() returns trigger language plpgsql as $$
    begin
      insert into document_usage as kept
        select owner, pg_backend_pid() % 32, -count(*), -sum(octet_length(body))
          from deleted join users on users.id = deleted.owner group by owner order by owner
        on conflict (owner, place) do update
        set documents = kept.documents + excluded.documents, bytes = kept.bytes + excluded.bytes;
      return null;
    end $$`,
  `create trigger tasks_created after insert on tasks referencing new table as created
    for each statement execute function count_created()`,
  `create trigger tasks_resized after update on tasks for each row
    when (octet_length(new.body) <> octet_length(old.body)) execute function count_resized()`,
  `create trigger tasks_deleted after delete on tasks referencing old table as deleted
    for each statement execute function count_deleted()`,
  `create trigger timer_sessions_created after insert on timer_sessions referencing new table as created
    for each statement execute function count_created()`,
  `create trigger timer_sessions_resized after update on timer_sessions for each row
    when (octet_length(new.body) <> octet_length(old.body)) execute function count_resized()`,
  `create trigger timer_sessions_deleted after delete on timer_sessions referencing old table as deleted
    for each statement execute function count_deleted()`,
  `create trigger time_entries_created after insert on time_entries referencing new table as created
    for each statement execute function count_created()`,
  `create trigger time_entries_resized after update on time_entries for each row
    when (octet_length(new.body) <> octet_length(old.body)) execute function count_resized()`,
  `create trigger time_entries_deleted after delete on time_entries referencing old table as deleted
    for each statement execute function count_deleted()`,
  // A foreign key is not used: reading the user while a document is locked would deadlock with the
  // deletion.
  `create function forget_usage() returns trigger language plpgsql as $$
    begin
      delete from document_usage where owner = old.id;
      return null;
    end $$`,
  `create trigger usage_forgotten after delete on users
    for each row execute function forget_usage()`,
]
