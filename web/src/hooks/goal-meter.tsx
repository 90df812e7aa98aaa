import { goalProgress } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { useFormats } from './use-formats.ts'

/** Shows today's progress towards the task's goal as a text and a bar; nothing without a goal. */
export function GoalLine({ goalHours, todaySeconds }: Goal) {
  const words = useGoalWords({ goalHours, todaySeconds })
  if (goalHours <= 0) return null
  return (
    <div className="mt-1.5 flex items-center gap-2 text-sm text-quiet">
      <Bar goalHours={goalHours} todaySeconds={todaySeconds} />
      <span className="figures">{words}</span>
    </div>
  )
}

/** The same for a list row: only on days on which the task was worked on. */
export function GoalMeter({ goalHours, todaySeconds }: Goal) {
  const words = useGoalWords({ goalHours, todaySeconds })
  if (goalHours <= 0 || todaySeconds <= 0) return null
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn with CSS, so there is no image file
      role="img"
      aria-label={words}
      title={words}
      className="relative shrink-0 max-wide:order-last max-wide:col-span-3 max-wide:col-start-2 max-wide:pb-2"
    >
      <Bar goalHours={goalHours} todaySeconds={todaySeconds} />
    </span>
  )
}

interface Goal {
  readonly goalHours: number
  readonly todaySeconds: number
}

function Bar({ goalHours, todaySeconds }: Goal) {
  const percent = Math.min(100, goalProgress(goalHours, todaySeconds) * 100)
  return (
    <span
      aria-hidden="true"
      className="block h-1 w-16 overflow-hidden rounded-full border border-edge/40 bg-wash"
    >
      <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
    </span>
  )
}

function useGoalWords({ goalHours, todaySeconds }: Goal): string {
  const { duration } = useFormats()
  const worked = duration(todaySeconds)
  const goal = duration(goalHours * 3600)
  return goalProgress(goalHours, todaySeconds) >= 1
    ? t('Goal reached: {worked} of {goal} today', { worked, goal })
    : t('{worked} of {goal} today', { worked, goal })
}
