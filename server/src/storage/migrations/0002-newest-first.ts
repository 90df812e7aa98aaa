/**
 * SQLite: the index of the newest first is in the order in which it is read, so that ties keep
 * their order. PostgreSQL: every process that shares the database is notified when an account or a
 * sign-in changes, whichever process changes it.
 * Frozen: a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  'drop index tasks_by_creation',
  'create index tasks_by_creation on tasks (owner, created_at desc)',
  'drop index timer_sessions_by_creation',
  'create index timer_sessions_by_creation on timer_sessions (owner, created_at desc)',
  'drop index time_entries_by_creation',
  'create index time_entries_by_creation on time_entries (owner, created_at desc)',
]

export const postgres: readonly string[] = [
  `create function announce_accounts() returns trigger language plpgsql as $$
    begin
    perform pg_notify(left('stint_' || tg_table_schema, 63), 'accounts changed');
    return null;
    end $$`,
  `create trigger users_changed after delete or
    update of id, email, name, password_hash, password_updated_at, email_verified, active, prefs,
    created_at, updated_at
    on users for each row execute function announce_accounts()`,
  `create trigger sessions_changed after delete or
    update of id, user_id, token_hash, persistent, ip, user_agent, created_at, updated_at, expires_at
    on sessions for each row execute function announce_accounts()`,
]
