-- A database of schema 12 with data, as its version of Stint wrote it. Never edit it.
pragma foreign_keys = off;
BEGIN TRANSACTION;
CREATE TABLE users (
  id text primary key,
  email text not null unique,
  name text not null,
  password_hash text not null,
  password_updated_at text not null,
  email_verified boolean not null,
  active boolean not null,
  prefs text not null,
  created_at text not null,
  updated_at text not null,
  accessed_at text not null
  );
INSERT INTO users VALUES('6968d6c000000edd948b','bob@example.com','Bob','$argon2id$v=19$m=64,t=1,p=1$TYxIjQxfOpYztcmhzELTHw$4qMl/4FkiTTex633RM+QYLTUQjkr4MEYr4ov1t/DZjU','2026-01-15T12:00:00.000+00:00',0,1,'{}','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00');
INSERT INTO users VALUES('6968d6c000000fd93c9b','ann@example.com','Ann','$argon2id$v=19$m=64,t=1,p=1$7VYzh9izEbRIrwtgZJ+Dsg$pL3v/mjgqSEDI8E8u7GxBGjXj0sP2sXpI6e8kxYp/Aw','2026-01-15T12:00:00.000+00:00',0,1,'{"theme":"dark","weekStart":1,"note":"ünïcode “quotes” '' ; --"}','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00');
CREATE TABLE sessions (
  id text primary key,
  user_id text not null references users(id) on delete cascade,
  token_hash text not null unique,
  persistent boolean not null,
  ip text not null,
  user_agent text not null,
  created_at text not null,
  updated_at text not null,
  seen_at text not null,
  expires_at text not null
  , provider text not null default 'email', provider_uid text);
INSERT INTO sessions VALUES('6968d6c0000009484e5a','6968d6c000000edd948b','762c3037dd857ca8f9982befe295bb2fb6ffab55bc44175c0e6be2b317649678',1,'127.0.0.1','lightMyRequest','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','2026-04-15T12:00:00.000+00:00','email',NULL);
INSERT INTO sessions VALUES('6968d6c000000dcc7bff','6968d6c000000fd93c9b','9144cff2d7787938b12877dcf7420680e26cf9c0bae183c32a7b8da0be01b494',1,'127.0.0.1','lightMyRequest','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','2026-04-15T12:00:00.000+00:00','email',NULL);
INSERT INTO sessions VALUES('6968e4d0000006e88ab6','6968d6c000000fd93c9b','4544ed70ba6e6e2acebfd76b0d3371cbe865270f7b84de3ee9b63a9de1ace147',1,'127.0.0.1','lightMyRequest','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','2026-04-15T13:00:00.000+00:00','email',NULL);
CREATE TABLE tokens (
  id text primary key,
  user_id text not null references users(id) on delete cascade,
  purpose text not null,
  secret_hash text not null,
  created_at text not null,
  expires_at text not null
  );
INSERT INTO tokens VALUES('token','6968d6c000000fd93c9b','recovery','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','2026-01-15T13:00:00.000+00:00','2026-01-15T14:00:00.000+00:00');
CREATE TABLE throttles (
  bucket text primary key,
  resets_at integer not null,
  hits integer not null
  );
INSERT INTO throttles VALUES('sign-in 127.0.0.1 ann@example.com',1768485600,3);
CREATE TABLE tasks (
  sequence integer primary key autoincrement,
  owner text not null references users(id) on delete cascade,
  id text not null,
  created_at text not null,
  updated_at text not null,
  name text not null,
  is_active boolean not null,
  category text not null,
  goal_hours real not null,
  total_time integer not null,
  today_time integer not null,
  color text not null,
  body text not null,
  unique (owner, id)
  );
INSERT INTO tasks VALUES(1,'6968d6c000000fd93c9b','report','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','Write report',1,'Development',8.0,0,0,'bg-blue-500',',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Write report","userId":"6968d6c000000fd93c9b","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
INSERT INTO tasks VALUES(2,'6968d6c000000fd93c9b','hiring','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','Hiring''s "round" 2 \ 世界',1,'Meetings',2.5,7200,60,'bg-teal-500',',"$id":"hiring","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Hiring''s \"round\" 2 \\ 世界","userId":"6968d6c000000fd93c9b","isActive":true,"category":"Meetings","goalHours":2.5,"totalTime":7200,"todayTime":60,"color":"bg-teal-500"}');
INSERT INTO tasks VALUES(3,'6968d6c000000fd93c9b','archived','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','Archived',0,'Development',8.0,0,0,'bg-blue-500',',"$id":"archived","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Archived","userId":"6968d6c000000fd93c9b","isActive":false,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
INSERT INTO tasks VALUES(4,'6968d6c000000edd948b','report','2026-01-15T12:00:00.000+00:00','2026-01-15T12:00:00.000+00:00','Another person’s task of the same id',1,'Development',8.0,0,0,'bg-blue-500',',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000edd948b\")","update(\"user:6968d6c000000edd948b\")","delete(\"user:6968d6c000000edd948b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Another person’s task of the same id","userId":"6968d6c000000edd948b","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
CREATE TABLE timer_sessions (
  sequence integer primary key autoincrement,
  owner text not null references users(id) on delete cascade,
  id text not null,
  created_at text not null,
  updated_at text not null,
  task_id text not null,
  start_time text,
  is_running boolean not null,
  is_paused boolean not null,
  current_pause_start text,
  pause_duration_seconds integer not null,
  end_time text,
  pauses text,
  device text,
  body text not null, note text, log text,
  unique (owner, id)
  );
INSERT INTO timer_sessions VALUES(1,'6968d6c000000fd93c9b','running','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.001+00:00','report','2026-01-15T12:30:00.000+00:00',1,0,NULL,300,NULL,'[["2026-01-15T12:40:00.000Z","2026-01-15T12:45:00.000Z"]]','Firefox on Linux',',"$id":"running","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.001+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"timer_sessions","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-15T12:30:00.000+00:00","isRunning":true,"isPaused":false,"currentPauseStart":null,"pauseDurationSeconds":300,"endTime":null,"pauses":"[[\"2026-01-15T12:40:00.000Z\",\"2026-01-15T12:45:00.000Z\"]]","device":"Firefox on Linux","note":"with #tag","log":null}','with #tag',NULL);
CREATE TABLE time_entries (
  sequence integer primary key autoincrement,
  owner text not null references users(id) on delete cascade,
  id text not null,
  created_at text not null,
  updated_at text not null,
  task_id text not null,
  start_time text not null,
  end_time text not null,
  entry_type text not null,
  duration_seconds integer not null,
  date text,
  session_id text,
  pauses text,
  note text,
  deleted_at text,
  body text not null, log text,
  unique (owner, id)
  );
INSERT INTO time_entries VALUES(1,'6968d6c000000fd93c9b','plain','2026-01-15T13:00:00.000+00:00','2026-01-15T13:01:00.000+00:00','report','2026-01-14T08:00:00.000+00:00','2026-01-14T09:30:00.000+00:00','timer',5400,'2026-01-14T08:00:00.000+00:00','plain',NULL,'edited',NULL,',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:01:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"plain","pauses":null,"note":"edited","deletedAt":null,"log":null}',NULL);
INSERT INTO time_entries VALUES(2,'6968d6c000000fd93c9b','paused','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','report','2026-01-14T08:00:00.000+00:00','2026-01-14T09:30:00.000+00:00','timer',4800,'2026-01-14T08:00:00.000+00:00','paused','[["2026-01-14T08:10:00.000Z","2026-01-14T08:20:00.000Z"]]',replace('line one\nline two, "quoted"; \ 世界','\n',char(10)),NULL,',"$id":"paused","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":4800,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"paused","pauses":"[[\"2026-01-14T08:10:00.000Z\",\"2026-01-14T08:20:00.000Z\"]]","note":"line one\nline two, \"quoted\"; \\ 世界","deletedAt":null,"log":null}',NULL);
INSERT INTO time_entries VALUES(3,'6968d6c000000fd93c9b','deleted','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','report','2026-01-14T08:00:00.000+00:00','2026-01-14T09:30:00.000+00:00','manual',5400,'2026-01-14T08:00:00.000+00:00',NULL,NULL,NULL,'2026-01-14T10:00:00.000+00:00',',"$id":"deleted","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"manual","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":"2026-01-14T10:00:00.000+00:00","log":null}',NULL);
INSERT INTO time_entries VALUES(4,'6968d6c000000fd93c9b','zero','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','report','2026-01-14T08:00:00.000+00:00','2026-01-14T08:00:00.000+00:00','timer',0,'2026-01-14T08:00:00.000+00:00',NULL,NULL,NULL,NULL,',"$id":"zero","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T08:00:00.000+00:00","entryType":"timer","durationSeconds":0,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null,"log":null}',NULL);
INSERT INTO time_entries VALUES(5,'6968d6c000000edd948b','plain','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','report','2026-01-14T08:00:00.000+00:00','2026-01-14T09:30:00.000+00:00','timer',5400,'2026-01-14T08:00:00.000+00:00',NULL,NULL,NULL,NULL,',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000edd948b\")","update(\"user:6968d6c000000edd948b\")","delete(\"user:6968d6c000000edd948b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000edd948b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null,"log":null}',NULL);
INSERT INTO time_entries VALUES(6,'6968d6c000000fd93c9b','logged','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:00.000+00:00','report','2026-01-15T09:00:00.000+00:00','2026-01-15T10:00:00.000+00:00','timer',3600,NULL,'logged',NULL,NULL,NULL,',"$id":"logged","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-15T09:00:00.000+00:00","endTime":"2026-01-15T10:00:00.000+00:00","entryType":"timer","durationSeconds":3600,"date":null,"sessionId":"logged","pauses":null,"note":null,"deletedAt":null,"log":"[1,1768467600000,[\"device\"],[[0,1,0,0,0,0,\"start\",\"report\",null,\"Phone\"],[0,2,3600000,0,0,0,\"stop\"]]]"}','[1,1768467600000,["device"],[[0,1,0,0,0,0,"start","report",null,"Phone"],[0,2,3600000,0,0,0,"stop"]]]');
CREATE TABLE IF NOT EXISTS "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO kysely_migration VALUES('0001-tables','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0002-newest-first','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0003-order-of-creation','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0004-quota','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0005-session-notes','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0006-keys','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0007-key-answers','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0008-feeds','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0009-webhooks','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0010-proposals','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0011-ways-in','2026-01-15T13:00:00.000Z');
INSERT INTO kysely_migration VALUES('0012-log','2026-01-15T13:00:00.000Z');
CREATE TABLE IF NOT EXISTS "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO kysely_migration_lock VALUES('migration_lock',0);
CREATE TABLE document_usage (
      owner text primary key references users(id) on delete cascade,
      documents integer not null,
      bytes integer not null
    ) without rowid;
INSERT INTO document_usage VALUES('6968d6c000000edd948b',2,1054);
INSERT INTO document_usage VALUES('6968d6c000000fd93c9b',9,5114);
CREATE TABLE document_quota (id integer primary key, documents integer, bytes integer);
INSERT INTO document_quota VALUES(1,1000000,1073741824);
CREATE TABLE keys (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    name text not null,
    access text not null,
    secret_hash text not null unique,
    created_at text not null,
    not_before text,
    used_at text
  );
INSERT INTO keys VALUES('6968e4d000000b6357b1','6968d6c000000fd93c9b','Shell','write','80184b2fb4457ea188f86d1841409d4b0b09a748676cda699c7ebcdaa4803a1c','2026-01-15T13:00:00.000+00:00',NULL,'2026-01-15T13:00:00.000+00:00');
CREATE TABLE key_answers (
    key_id text not null references keys(id) on delete cascade,
    name text not null,
    call_hash text not null,
    status integer not null,
    body text not null,
    created_at text not null,
    primary key (key_id, name)
  ) without rowid;
CREATE TABLE feeds (
    user_id text primary key references users(id) on delete cascade,
    secret_hash text not null unique,
    created_at text not null
  );
INSERT INTO feeds VALUES('6968d6c000000fd93c9b','b577640b5ead1af0e280b200051ed8f3144cd5e9d777609df1b4f42ab3ffe5a7','2026-01-15T13:00:00.000+00:00');
CREATE TABLE webhooks (
    key_id text primary key references keys(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    url text not null,
    secret text not null,
    timer text,
    created_at text not null
  );
INSERT INTO webhooks VALUES('6968e4d000000b6357b1','6968d6c000000fd93c9b','http://127.0.0.1:1/','whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA','running running','2026-01-15T13:00:00.000+00:00');
CREATE TABLE deliveries (
    id text primary key,
    key_id text not null references webhooks(key_id) on delete cascade,
    event text not null,
    body text not null,
    status text not null,
    tries integer not null,
    answer text,
    created_at text not null,
    next_try_at text
  );
INSERT INTO deliveries VALUES('msg_hevhexy4g0_2ce3b7f55837136057','6968e4d000000b6357b1','timer.stopped','{"type":"timer.stopped","timestamp":"2026-01-15T13:00:00.000Z","data":{"id":"logged","taskId":"report","task":"Write report","note":null,"start":"2026-01-15T09:00:00.000Z","end":"2026-01-15T10:00:00.000Z","seconds":3600}}','waiting',1,'ECONNREFUSED','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:30.000+00:00');
INSERT INTO deliveries VALUES('msg_hevhexy4g1_5647412da13ea69c14','6968e4d000000b6357b1','timer.started','{"type":"timer.started","timestamp":"2026-01-15T13:00:00.000Z","data":{"id":"running","taskId":"report","task":"Write report","note":"with #tag","start":"2026-01-15T12:30:00.000Z"}}','waiting',1,'ECONNREFUSED','2026-01-15T13:00:00.000+00:00','2026-01-15T13:00:30.000+00:00');
CREATE TABLE proposals (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    key_name text not null,
    reason text not null,
    changes text not null,
    created_at text not null
  );
INSERT INTO proposals VALUES('6968e4d000000748a6a0','6968d6c000000fd93c9b','Shell','canary','[{"kind":"add","id":null,"seenAt":null,"taskId":null,"newTask":"Proposed","startedAt":1767340800000,"endedAt":1767344400000,"note":null}]','2026-01-15T13:00:00.000+00:00');
CREATE TABLE invites (
    id text primary key,
    secret_hash text not null unique,
    email text,
    created_at text not null,
    expires_at text not null
  );
CREATE TABLE identities (
    issuer text not null,
    subject text not null,
    user_id text not null references users(id) on delete cascade,
    created_at text not null,
    primary key (issuer, subject)
  );
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('tasks',4);
INSERT INTO sqlite_sequence VALUES('timer_sessions',1);
INSERT INTO sqlite_sequence VALUES('time_entries',6);
CREATE INDEX sessions_of_user on sessions (user_id, created_at);
CREATE INDEX tokens_of_user on tokens (user_id, purpose);
CREATE INDEX throttles_by_end on throttles (resets_at);
CREATE INDEX tasks_by_change on tasks (owner, updated_at);
CREATE INDEX timer_sessions_by_change on timer_sessions (owner, updated_at);
CREATE INDEX time_entries_by_change on time_entries (owner, updated_at);
CREATE INDEX tasks_in_use on tasks (owner, is_active, created_at);
CREATE INDEX time_entries_of_task on time_entries (owner, task_id, created_at);
CREATE UNIQUE INDEX one_active on timer_sessions (owner)
  where end_time is null and (is_running or is_paused);
CREATE INDEX tasks_by_creation on tasks (owner, created_at desc);
CREATE INDEX timer_sessions_by_creation on timer_sessions (owner, created_at desc);
CREATE INDEX time_entries_by_creation on time_entries (owner, created_at desc);
CREATE TRIGGER tasks_created after insert on tasks begin
      insert into document_usage values (new.owner, 1, octet_length(new.body))
        on conflict (owner) do update
        set documents = documents + 1, bytes = bytes + octet_length(new.body);
      select case
          when used.documents > quota.documents then raise(abort, 'stint quota of documents')
          when used.bytes > quota.bytes then raise(abort, 'stint quota of bytes')
        end
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner;
    end;
CREATE TRIGGER tasks_resized after update of body on tasks
      when octet_length(new.body) <> octet_length(old.body) begin
      update document_usage
        set bytes = bytes + octet_length(new.body) - octet_length(old.body)
        where owner = new.owner;
      select raise(abort, 'stint quota of bytes')
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner and used.bytes > quota.bytes
          and octet_length(new.body) > octet_length(old.body);
    end;
CREATE TRIGGER tasks_deleted after delete on tasks begin
      update document_usage
        set documents = documents - 1, bytes = bytes - octet_length(old.body)
        where owner = old.owner;
    end;
CREATE TRIGGER timer_sessions_created after insert on timer_sessions begin
      insert into document_usage values (new.owner, 1, octet_length(new.body))
        on conflict (owner) do update
        set documents = documents + 1, bytes = bytes + octet_length(new.body);
      select case
          when used.documents > quota.documents then raise(abort, 'stint quota of documents')
          when used.bytes > quota.bytes then raise(abort, 'stint quota of bytes')
        end
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner;
    end;
CREATE TRIGGER timer_sessions_resized after update of body on timer_sessions
      when octet_length(new.body) <> octet_length(old.body) begin
      update document_usage
        set bytes = bytes + octet_length(new.body) - octet_length(old.body)
        where owner = new.owner;
      select raise(abort, 'stint quota of bytes')
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner and used.bytes > quota.bytes
          and octet_length(new.body) > octet_length(old.body);
    end;
CREATE TRIGGER timer_sessions_deleted after delete on timer_sessions begin
      update document_usage
        set documents = documents - 1, bytes = bytes - octet_length(old.body)
        where owner = old.owner;
    end;
CREATE TRIGGER time_entries_created after insert on time_entries begin
      insert into document_usage values (new.owner, 1, octet_length(new.body))
        on conflict (owner) do update
        set documents = documents + 1, bytes = bytes + octet_length(new.body);
      select case
          when used.documents > quota.documents then raise(abort, 'stint quota of documents')
          when used.bytes > quota.bytes then raise(abort, 'stint quota of bytes')
        end
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner;
    end;
CREATE TRIGGER time_entries_resized after update of body on time_entries
      when octet_length(new.body) <> octet_length(old.body) begin
      update document_usage
        set bytes = bytes + octet_length(new.body) - octet_length(old.body)
        where owner = new.owner;
      select raise(abort, 'stint quota of bytes')
        from document_quota as quota, document_usage as used
        where quota.id = 1 and used.owner = new.owner and used.bytes > quota.bytes
          and octet_length(new.body) > octet_length(old.body);
    end;
CREATE TRIGGER time_entries_deleted after delete on time_entries begin
      update document_usage
        set documents = documents - 1, bytes = bytes - octet_length(old.body)
        where owner = old.owner;
    end;
CREATE INDEX keys_of_user on keys (user_id, created_at);
CREATE INDEX webhooks_of_user on webhooks (user_id);
CREATE INDEX deliveries_of_webhook on deliveries (key_id, id);
CREATE INDEX deliveries_by_next_try on deliveries (next_try_at) where next_try_at is not null;
CREATE INDEX proposals_of_user on proposals (user_id, created_at);
CREATE INDEX identities_of_user on identities (user_id);
pragma user_version = 12;
COMMIT;
