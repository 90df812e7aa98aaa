import { t } from '@stint/core/text.ts'

/** Returns how much was tracked, like '12 sessions and 3 tasks'. */
export function trackedAmount({ sessions, tasks }: { sessions: number; tasks: number }): string {
  return t('{sessions} and {tasks}', {
    sessions: t('{count, plural, one {# session} other {# sessions}}', { count: sessions }),
    tasks: t('{count, plural, one {# task} other {# tasks}}', { count: tasks }),
  })
}
