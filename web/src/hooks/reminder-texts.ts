/** What reminders and the question say, on the screen and in notifications. */
import { t } from '@stint/core/text.ts'

/** @param task its name; null: it is not told. */
export function askedTitle(task: string | null): string {
  return task === null ? t('Still working on the task?') : t('Still working on {task}?', { task })
}

/** @param since how many days ago the instant was, the name of its day, its time. */
export function unseenText({
  daysAgo,
  day,
  time,
}: {
  readonly daysAgo: number
  readonly day: string
  readonly time: string
}): string {
  return t(
    '{daysAgo, plural, =0 {No sign of work since {time}.} =1 {No sign of work since yesterday, {time}.} other {No sign of work since {day}, {time}.}}',
    { daysAgo, day, time },
  )
}

export function longText(hours: number): string {
  return t('{hours, plural, other {The timer has been running for {hours} hours.}}', { hours })
}

export function eveningText(time: string): string {
  return t('It’s past {time} and the timer is still running.', { time })
}

export function goalTitle(): string {
  return t('Goal reached.')
}

/** @param task its name; null: it is not told. */
export function goalText(hours: string, task: string | null): string {
  return task === null
    ? t('{hours}h on the task today.', { hours })
    : t('{hours}h on {task} today.', { hours, task })
}
