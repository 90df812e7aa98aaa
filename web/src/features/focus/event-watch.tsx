import { nameInReports } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { nextMidnight, startOfDay } from '@stint/core/time/calendar.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { ruleFinder } from '@stint/core/traces/rules.ts'
import type { Trace } from '@stint/core/traces/trace.ts'
import { useMemo, useState } from 'react'

import { runShortcut } from '#hooks/requests.ts'
import { useCalendarEvents } from '#hooks/use-calendar-events.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { useTraces } from '#hooks/use-traces.ts'
import { useWaitFor } from '#hooks/use-wait-for.ts'
import { useRecord } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'
import { Nudge } from './nudge.tsx'

/** An event is new for this long. */
const NEW_MILLISECONDS = 10 * 60_000

/** Says that an event of a calendar began while a timer runs on something else, and offers to switch. */
export function EventWatch() {
  const { clock } = useRecord()
  const { timer } = useTimer()
  const { start } = useTimerCommands()
  const { tasks } = useTasks()
  const { kept } = useTraces()
  const now = clock.now()
  const events = useCalendarEvents(useToday())
  const [answered, setAnswered] = useState<readonly string[]>([])
  useWaitFor(nextChange(events, now))

  const event = events.findLast((each) => each.from <= now && now < endOfNews(each))
  if (!event || answered.includes(event.id) || timer.status === 'idle') return null
  const rules = kept === null || kept instanceof Error ? [] : kept.rules
  const rule = ruleFinder(rules, (id) => tasks.some((task) => task.id === id))(event)
  // Its owner said that such events are no work, or is at it already.
  if (rule?.task === null || rule?.task === timer.taskId) return null
  // The timer was started for it.
  if (timer.startedAt >= event.from) return null
  const task = tasks.find(({ id }) => id === rule?.task)
  const answer = () => setAnswered([...answered, event.id])
  return (
    <Nudge title={t('{event} began.', { event: event.title })} onDismiss={answer}>
      <Button
        variant="primary"
        size="small"
        onClick={() => {
          answer()
          if (task) void start(task.id, event.title)
          else runShortcut('start')
        }}
      >
        {task ? t('Switch to {task}', { task: nameInReports(task) }) : t('Switch task')}
      </Button>
    </Nudge>
  )
}

/** Returns the present day; the same object all day. */
function useToday(): Interval {
  const { clock } = useRecord()
  const dayRule = useDayRule()
  const start = startOfDay(clock.now(), dayRule)
  return useMemo(() => ({ start, end: nextMidnight(start, dayRule) }), [start, dayRule])
}

function endOfNews({ from, to }: Trace): number {
  return Math.min(to, from + NEW_MILLISECONDS)
}

/** Returns when the next event begins, or one is not new any more; null if neither is to come. */
function nextChange(events: readonly Trace[], now: number): number | null {
  const changes = events.flatMap((event) => [event.from, endOfNews(event)])
  const next = Math.min(...changes.filter((at) => at > now))
  return next === Infinity ? null : next
}
