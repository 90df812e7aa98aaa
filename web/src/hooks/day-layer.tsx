import { nameInReports } from '@stint/core/record/task.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { t } from '@stint/core/text.ts'
import { addDays, intervalOfDates } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { clipIntervals } from '@stint/core/time/instant.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { useMemo } from 'react'

import { proofText } from './proof-words.ts'
import { openEditor } from './requests.ts'
import { useShowsCalendar } from './has-traces.ts'
import { useCalendarEvents } from './use-calendar-events.ts'
import { useFormats } from './use-formats.ts'
import { useSuggestions } from './use-suggestions.ts'
import { useTasks } from './use-tasks.ts'
import { BACKDROP, placed } from '#ui/chart/marks.tsx'
import { classNames } from '#ui/class-names.ts'
import { tint } from '#ui/tint.ts'

/**
 * What this device knows of a day, on its rail: the events of calendars behind the sessions, and suggestions in
 * free time. A press on one opens the editor with it.
 */
export function DayLayer({
  input,
  date,
  shown,
  at,
}: {
  input: ReportInput
  date: CalendarDate
  /** The hours that are shown. */
  shown: readonly Interval[]
  /** Returns the place of an instant, in rem. */
  at: (instant: number) => number
}) {
  const { timeZone } = input.dayRule
  const { duration, timeInRange } = useFormats()
  const { allTasks, colors } = useTasks()
  const day = useMemo(
    () => intervalOfDates({ from: date, to: addDays(date, 1) }, input.dayRule),
    [date, input.dayRule],
  )
  const isCalendarShown = useShowsCalendar()
  const events = useCalendarEvents(day)
  const [suggested] = useSuggestions(input, date, 1) ?? []
  const formats = { duration, time: (instant: number) => timeInRange(instant, timeZone) }
  const parts = ({ start, end }: Interval) =>
    shown.flatMap((hours) => clipIntervals([{ start, end }], hours.start, hours.end))
  const placeOf = ({ start, end }: Interval) =>
    placed('down', `${at(start)}rem`, `${at(end) - at(start)}rem`)

  return (
    <>
      {(isCalendarShown ? events : []).flatMap(({ id, from, to, title }) =>
        parts({ start: from, end: to }).map((part) => (
          <span
            key={`${id} ${part.start}`}
            title={`${title}, ${formats.time(from)} – ${formats.time(to)}`}
            style={placeOf(part)}
            className={classNames(BACKDROP, 'absolute -start-1.5 w-[calc(var(--rail)+0.75rem)]')}
          />
        )),
      )}
      {suggested && (
        <ul aria-label={t('Suggestions')}>
          {suggested.ghosts.flatMap((ghost) => {
            const task = allTasks.find(({ id }) => id === ghost.task)
            const name = task ? nameInReports(task) : ghost.note || t('Which task?')
            const times = `${formats.time(ghost.start)} – ${formats.time(ghost.end)}`
            const because = ghost.proofs.map((proof) => proofText(proof, formats)).join('. ')
            const color = ghost.task === null ? undefined : colors.get(ghost.task)
            return parts(ghost).map((part) => (
              <li key={`${ghost.id} ${part.start}`}>
                <button
                  type="button"
                  title={because}
                  style={{
                    ...placeOf(part),
                    ...(color !== undefined && { borderColor: tint(color) }),
                  }}
                  onClick={() =>
                    openEditor({
                      kind: 'add',
                      startedAt: ghost.start,
                      endedAt: ghost.end,
                      note: ghost.note,
                      ...(ghost.task !== null && { taskId: ghost.task }),
                    })
                  }
                  className="absolute start-0 z-25 w-(--rail) truncate rounded-control border border-dashed border-edge bg-surface px-1.5 text-start text-quiet hover:bg-wash hover:text-ink"
                >
                  <span className="sr-only">{`${t('suggestion|Add')} ${times}, `}</span>
                  {name}
                  <span className="sr-only">. {because}</span>
                </button>
              </li>
            ))
          })}
        </ul>
      )}
    </>
  )
}
