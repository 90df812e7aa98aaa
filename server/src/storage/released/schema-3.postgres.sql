-- A database of schema 3 with data, as its version of Stint wrote it. Never edit it.
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
insert into users (id, email, name, password_hash, password_updated_at, email_verified, active, prefs, created_at, updated_at, accessed_at) values ('6968d6c0000006d172f3', 'bob@example.com', 'Bob', '$argon2id$v=19$m=64,t=1,p=1$x52UanvDiT8x8yQJJVpQ1w$f4D0wUW+vsCIhDOlcdlFqcg2y7jjVHHCXjSZpk2Thbk', '2026-01-15T12:00:00.000+00:00', false, true, '{}', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00');
insert into users (id, email, name, password_hash, password_updated_at, email_verified, active, prefs, created_at, updated_at, accessed_at) values ('6968d6c000000b07a7aa', 'ann@example.com', 'Ann', '$argon2id$v=19$m=64,t=1,p=1$kNfE+JZ1/ABWltf1P4W3nw$DaVRIEvuanZqp5fV7x2yZ2ULulFTEqVFnnZRNyYpj5o', '2026-01-15T12:00:00.000+00:00', false, true, '{"theme":"dark","weekStart":1,"note":"ünïcode “quotes” '' ; --"}', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00');
insert into sessions (id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, seen_at, expires_at) values ('6968d6c00000056c9f75', '6968d6c0000006d172f3', 'a756815d0acc79363699fbef858adbb8668c2e2eda6fef059fd1040112c3de5a', true, '127.0.0.1', 'lightMyRequest', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-04-15T12:00:00.000+00:00');
insert into sessions (id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, seen_at, expires_at) values ('6968d6c0000007b43967', '6968d6c000000b07a7aa', '79928f721b574e6ea8b8485ffc84c07b121d3a9a7bfc03c74d5ccafa7a952ff0', true, '127.0.0.1', 'lightMyRequest', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-04-15T12:00:00.000+00:00');
insert into tokens (id, user_id, purpose, secret_hash, created_at, expires_at) values ('token', '6968d6c000000b07a7aa', 'recovery', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2026-01-15T13:00:00.000+00:00', '2026-01-15T14:00:00.000+00:00');
insert into throttles (bucket, resets_at, hits) values ('sign-in 127.0.0.1 ann@example.com', 1768485600, 3);
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (1, '6968d6c000000b07a7aa', 'report', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Write report', true, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Write report","userId":"6968d6c000000b07a7aa","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (2, '6968d6c000000b07a7aa', 'hiring', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Hiring''s "round" 2 \ 世界', true, 'Meetings', 2.5, 7200, 60, 'bg-teal-500', ',"$id":"hiring","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Hiring''s \"round\" 2 \\ 世界","userId":"6968d6c000000b07a7aa","isActive":true,"category":"Meetings","goalHours":2.5,"totalTime":7200,"todayTime":60,"color":"bg-teal-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (3, '6968d6c000000b07a7aa', 'archived', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Archived', false, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"archived","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Archived","userId":"6968d6c000000b07a7aa","isActive":false,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) overriding system value values (4, '6968d6c0000006d172f3', 'report', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Another person’s task of the same id', true, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c0000006d172f3\")","update(\"user:6968d6c0000006d172f3\")","delete(\"user:6968d6c0000006d172f3\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Another person’s task of the same id","userId":"6968d6c0000006d172f3","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into timer_sessions (sequence, owner, id, created_at, updated_at, task_id, start_time, is_running, is_paused, current_pause_start, pause_duration_seconds, end_time, pauses, device, body) overriding system value values (1, '6968d6c000000b07a7aa', 'running', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-15T12:30:00.000+00:00', true, false, null, 300, null, '[["2026-01-15T12:40:00.000Z","2026-01-15T12:45:00.000Z"]]', 'Firefox on Linux', ',"$id":"running","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"timer_sessions","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-15T12:30:00.000+00:00","isRunning":true,"isPaused":false,"currentPauseStart":null,"pauseDurationSeconds":300,"endTime":null,"pauses":"[[\"2026-01-15T12:40:00.000Z\",\"2026-01-15T12:45:00.000Z\"]]","device":"Firefox on Linux"}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) overriding system value values (1, '6968d6c000000b07a7aa', 'plain', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:01:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 5400, '2026-01-14T08:00:00.000+00:00', 'plain', null, 'edited', null, ',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:01:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"plain","pauses":null,"note":"edited","deletedAt":null}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) overriding system value values (2, '6968d6c000000b07a7aa', 'paused', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 4800, '2026-01-14T08:00:00.000+00:00', 'paused', '[["2026-01-14T08:10:00.000Z","2026-01-14T08:20:00.000Z"]]', 'line one
line two, "quoted"; \ 世界', null, ',"$id":"paused","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":4800,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"paused","pauses":"[[\"2026-01-14T08:10:00.000Z\",\"2026-01-14T08:20:00.000Z\"]]","note":"line one\nline two, \"quoted\"; \\ 世界","deletedAt":null}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) overriding system value values (3, '6968d6c000000b07a7aa', 'deleted', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'manual', 5400, '2026-01-14T08:00:00.000+00:00', null, null, null, '2026-01-14T10:00:00.000+00:00', ',"$id":"deleted","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"manual","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":"2026-01-14T10:00:00.000+00:00"}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) overriding system value values (4, '6968d6c000000b07a7aa', 'zero', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T08:00:00.000+00:00', 'timer', 0, '2026-01-14T08:00:00.000+00:00', null, null, null, null, ',"$id":"zero","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000b07a7aa\")","update(\"user:6968d6c000000b07a7aa\")","delete(\"user:6968d6c000000b07a7aa\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000b07a7aa","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T08:00:00.000+00:00","entryType":"timer","durationSeconds":0,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) overriding system value values (5, '6968d6c0000006d172f3', 'plain', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 5400, '2026-01-14T08:00:00.000+00:00', null, null, null, null, ',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c0000006d172f3\")","update(\"user:6968d6c0000006d172f3\")","delete(\"user:6968d6c0000006d172f3\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c0000006d172f3","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null}');
create table stint_schema (version integer not null);
insert into stint_schema values (3);
select setval(pg_get_serial_sequence('tasks', 'sequence'), 1000);
select setval(pg_get_serial_sequence('timer_sessions', 'sequence'), 1000);
select setval(pg_get_serial_sequence('time_entries', 'sequence'), 1000);
