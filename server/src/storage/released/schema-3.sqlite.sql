-- A database of schema 3 with data, as its version of Stint wrote it. Never edit it.
create table users (
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
create table sessions (
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
  );
create index sessions_of_user on sessions (user_id, created_at);
create table tokens (
  id text primary key,
  user_id text not null references users(id) on delete cascade,
  purpose text not null,
  secret_hash text not null,
  created_at text not null,
  expires_at text not null
  );
create index tokens_of_user on tokens (user_id, purpose);
create table throttles (
  bucket text primary key,
  resets_at integer not null,
  hits integer not null
  );
create index throttles_by_end on throttles (resets_at);
create table tasks (
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
create table timer_sessions (
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
  body text not null,
  unique (owner, id)
  );
create table time_entries (
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
  body text not null,
  unique (owner, id)
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
drop index tasks_by_creation;
create index tasks_by_creation on tasks (owner, created_at desc);
drop index timer_sessions_by_creation;
create index timer_sessions_by_creation on timer_sessions (owner, created_at desc);
drop index time_entries_by_creation;
create index time_entries_by_creation on time_entries (owner, created_at desc);
insert into users (id, email, name, password_hash, password_updated_at, email_verified, active, prefs, created_at, updated_at, accessed_at) values ('6968d6c000000edd948b', 'bob@example.com', 'Bob', '$argon2id$v=19$m=64,t=1,p=1$TYxIjQxfOpYztcmhzELTHw$4qMl/4FkiTTex633RM+QYLTUQjkr4MEYr4ov1t/DZjU', '2026-01-15T12:00:00.000+00:00', false, true, '{}', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00');
insert into users (id, email, name, password_hash, password_updated_at, email_verified, active, prefs, created_at, updated_at, accessed_at) values ('6968d6c000000fd93c9b', 'ann@example.com', 'Ann', '$argon2id$v=19$m=64,t=1,p=1$7VYzh9izEbRIrwtgZJ+Dsg$pL3v/mjgqSEDI8E8u7GxBGjXj0sP2sXpI6e8kxYp/Aw', '2026-01-15T12:00:00.000+00:00', false, true, '{"theme":"dark","weekStart":1,"note":"ünïcode “quotes” '' ; --"}', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00');
insert into sessions (id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, seen_at, expires_at) values ('6968d6c0000009484e5a', '6968d6c000000edd948b', '762c3037dd857ca8f9982befe295bb2fb6ffab55bc44175c0e6be2b317649678', true, '127.0.0.1', 'lightMyRequest', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-04-15T12:00:00.000+00:00');
insert into sessions (id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, seen_at, expires_at) values ('6968d6c000000dcc7bff', '6968d6c000000fd93c9b', '9144cff2d7787938b12877dcf7420680e26cf9c0bae183c32a7b8da0be01b494', true, '127.0.0.1', 'lightMyRequest', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', '2026-04-15T12:00:00.000+00:00');
insert into tokens (id, user_id, purpose, secret_hash, created_at, expires_at) values ('token', '6968d6c000000fd93c9b', 'recovery', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2026-01-15T13:00:00.000+00:00', '2026-01-15T14:00:00.000+00:00');
insert into throttles (bucket, resets_at, hits) values ('sign-in 127.0.0.1 ann@example.com', 1768485600, 3);
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) values (1, '6968d6c000000fd93c9b', 'report', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Write report', true, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Write report","userId":"6968d6c000000fd93c9b","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) values (2, '6968d6c000000fd93c9b', 'hiring', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Hiring''s "round" 2 \ 世界', true, 'Meetings', 2.5, 7200, 60, 'bg-teal-500', ',"$id":"hiring","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Hiring''s \"round\" 2 \\ 世界","userId":"6968d6c000000fd93c9b","isActive":true,"category":"Meetings","goalHours":2.5,"totalTime":7200,"todayTime":60,"color":"bg-teal-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) values (3, '6968d6c000000fd93c9b', 'archived', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Archived', false, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"archived","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Archived","userId":"6968d6c000000fd93c9b","isActive":false,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into tasks (sequence, owner, id, created_at, updated_at, name, is_active, category, goal_hours, total_time, today_time, color, body) values (4, '6968d6c000000edd948b', 'report', '2026-01-15T12:00:00.000+00:00', '2026-01-15T12:00:00.000+00:00', 'Another person’s task of the same id', true, 'Development', 8, 0, 0, 'bg-blue-500', ',"$id":"report","$createdAt":"2026-01-15T12:00:00.000+00:00","$updatedAt":"2026-01-15T12:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000edd948b\")","update(\"user:6968d6c000000edd948b\")","delete(\"user:6968d6c000000edd948b\")"],"$databaseId":"stint","$collectionId":"tasks","name":"Another person’s task of the same id","userId":"6968d6c000000edd948b","isActive":true,"category":"Development","goalHours":8,"totalTime":0,"todayTime":0,"color":"bg-blue-500"}');
insert into timer_sessions (sequence, owner, id, created_at, updated_at, task_id, start_time, is_running, is_paused, current_pause_start, pause_duration_seconds, end_time, pauses, device, body) values (1, '6968d6c000000fd93c9b', 'running', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-15T12:30:00.000+00:00', true, false, null, 300, null, '[["2026-01-15T12:40:00.000Z","2026-01-15T12:45:00.000Z"]]', 'Firefox on Linux', ',"$id":"running","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"timer_sessions","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-15T12:30:00.000+00:00","isRunning":true,"isPaused":false,"currentPauseStart":null,"pauseDurationSeconds":300,"endTime":null,"pauses":"[[\"2026-01-15T12:40:00.000Z\",\"2026-01-15T12:45:00.000Z\"]]","device":"Firefox on Linux"}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) values (1, '6968d6c000000fd93c9b', 'plain', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:01:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 5400, '2026-01-14T08:00:00.000+00:00', 'plain', null, 'edited', null, ',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:01:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"plain","pauses":null,"note":"edited","deletedAt":null}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) values (2, '6968d6c000000fd93c9b', 'paused', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 4800, '2026-01-14T08:00:00.000+00:00', 'paused', '[["2026-01-14T08:10:00.000Z","2026-01-14T08:20:00.000Z"]]', 'line one
line two, "quoted"; \ 世界', null, ',"$id":"paused","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":4800,"date":"2026-01-14T08:00:00.000+00:00","sessionId":"paused","pauses":"[[\"2026-01-14T08:10:00.000Z\",\"2026-01-14T08:20:00.000Z\"]]","note":"line one\nline two, \"quoted\"; \\ 世界","deletedAt":null}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) values (3, '6968d6c000000fd93c9b', 'deleted', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'manual', 5400, '2026-01-14T08:00:00.000+00:00', null, null, null, '2026-01-14T10:00:00.000+00:00', ',"$id":"deleted","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"manual","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":"2026-01-14T10:00:00.000+00:00"}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) values (4, '6968d6c000000fd93c9b', 'zero', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T08:00:00.000+00:00', 'timer', 0, '2026-01-14T08:00:00.000+00:00', null, null, null, null, ',"$id":"zero","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000fd93c9b\")","update(\"user:6968d6c000000fd93c9b\")","delete(\"user:6968d6c000000fd93c9b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000fd93c9b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T08:00:00.000+00:00","entryType":"timer","durationSeconds":0,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null}');
insert into time_entries (sequence, owner, id, created_at, updated_at, task_id, start_time, end_time, entry_type, duration_seconds, date, session_id, pauses, note, deleted_at, body) values (5, '6968d6c000000edd948b', 'plain', '2026-01-15T13:00:00.000+00:00', '2026-01-15T13:00:00.000+00:00', 'report', '2026-01-14T08:00:00.000+00:00', '2026-01-14T09:30:00.000+00:00', 'timer', 5400, '2026-01-14T08:00:00.000+00:00', null, null, null, null, ',"$id":"plain","$createdAt":"2026-01-15T13:00:00.000+00:00","$updatedAt":"2026-01-15T13:00:00.000+00:00","$permissions":["read(\"user:6968d6c000000edd948b\")","update(\"user:6968d6c000000edd948b\")","delete(\"user:6968d6c000000edd948b\")"],"$databaseId":"stint","$collectionId":"time_entries","taskId":"report","userId":"6968d6c000000edd948b","startTime":"2026-01-14T08:00:00.000+00:00","endTime":"2026-01-14T09:30:00.000+00:00","entryType":"timer","durationSeconds":5400,"date":"2026-01-14T08:00:00.000+00:00","sessionId":null,"pauses":null,"note":null,"deletedAt":null}');
pragma application_id = 1937010292;
pragma user_version = 3;
