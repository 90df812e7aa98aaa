/**
 * The devices that are also asked and reminded while the app is closed: their time zone, and what they have said. Frozen:
 * a change of the schema is a new file.
 */
export const sqlite: readonly string[] = [
  'alter table push_subscriptions add column time_zone text',
  'alter table push_subscriptions add column said text',
]

export const postgres: readonly string[] = [
  'alter table push_subscriptions add column time_zone text collate "C"',
  'alter table push_subscriptions add column said text collate "C"',
]
