import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { Check, Copy } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Link, useParams } from '#ui/navigation.tsx'
import { intervalOfDates, sessionDay } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { ALL_TIME, explain, sessionTimes } from '@stint/core/reports/explanation.ts'
import type { Contribution, Explanation } from '@stint/core/reports/explanation.ts'
import { average } from '@stint/core/reports/quick-stats.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { sessionCountText } from '@stint/core/reports/session-count.ts'
import { explanationCsv } from '@stint/core/transfer/explanation-csv.ts'
import { Icon } from '#ui/icon.tsx'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { csvForm } from '#hooks/csv-form.ts'
import { NoteText } from '#hooks/note-text.tsx'
import { Evidence } from '#hooks/evidence.tsx'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { copyText } from '#ui/copy-text.ts'
import { Scroller } from '#ui/scroller.tsx'
import { EditSession } from './edit-session.tsx'
import type { Question } from '#hooks/use-explain.ts'

/** How many sessions are listed at first. Each 'Show more' adds ten times as many. */
const PAGE_SIZE = 100

/**
 * Lists the sessions of a figure, with the part of each that counts. The list is a snapshot from the
 * opening, so that it does not change while a timer runs.
 */
export function ExplanationView({
  question,
  input,
  onLeave,
}: {
  question: Question
  input: ReportInput
  /** Called when a link to other sessions is followed. */
  onLeave: () => void
}) {
  const { entries } = input
  const [asked] = useState(input)
  // Recalculated only when a session changes, not at every tick of the timer.
  const { explanation, now, dayRule } = useMemo(
    () => answer(question, { ...asked, entries }),
    [question, asked, entries],
  )
  const [listed, setListed] = useState(PAGE_SIZE)
  const { rows, totalSeconds } = explanation
  const oneTask = question.taskIds?.length === 1

  return (
    <>
      <div>
        {question.about !== null && <p className="text-sm">{question.about}</p>}
        <p className="figures text-lg text-ink">{headline(question, explanation)}</p>
        <p className="figures text-sm">{basis(question, explanation)}</p>
      </div>
      {rows.length > 0 && (
        <>
          <Scroller
            label={t('Sessions')}
            className="-mx-5 max-h-[50dvh] overflow-y-auto border-y border-line px-5"
          >
            <ul className="divide-y divide-line">
              {rows.slice(0, listed).map((row) => (
                <SessionRow
                  key={row.entry.id}
                  row={row}
                  now={now}
                  dayRule={dayRule}
                  oneTask={oneTask}
                  onLeave={onLeave}
                />
              ))}
            </ul>
            {rows.length > listed && (
              <Button
                variant="quiet"
                size="small"
                className="my-2"
                onClick={() => setListed(listed + 10 * PAGE_SIZE)}
              >
                {t('Show {count} more of {total}', {
                  count: Math.min(10 * PAGE_SIZE, rows.length - listed),
                  total: rows.length,
                })}
              </Button>
            )}
          </Scroller>
          <p className="flex justify-between font-semibold text-ink">
            {t('Sum')}
            <span className="figures">{exactDuration(totalSeconds)}</span>
          </p>
        </>
      )}
      <Actions question={question} explanation={explanation} dayRule={dayRule} />
    </>
  )
}

function answer({ dates, taskIds, tags, only, savedOnly }: Question, input: ReportInput) {
  const { now, dayRule } = input
  const counts = ({ id }: { id: string }) => only === undefined || only.has(id)
  const isLive = !savedOnly && input.live !== null && counts(input.live)
  const intervals = dates === null ? ALL_TIME : [intervalOfDates(dates, dayRule)]
  const entries = only ? input.entries.filter(counts) : input.entries
  const counted = { ...input, entries, live: isLive ? input.live : null }
  return { explanation: explain(counted, intervals, taskIds, tags), now, dayRule }
}

/** Returns the exact figure. */
function headline({ figure, reading = 'sum' }: Question, explanation: Explanation) {
  const { totalSeconds, count } = explanation
  if (figure !== undefined) return figure
  switch (reading) {
    case 'sum':
      return exactDuration(totalSeconds)
    case 'count':
      return sessionCountText(count)
    case 'average':
      return exactDuration(average(totalSeconds, count.begun))
  }
}

/** Returns what the figure is based on: the sessions as the chart counts them. */
function basis({ figure, reading = 'sum' }: Question, { rows, totalSeconds, count }: Explanation) {
  if (rows.length === 0) return t('No sessions')
  const duration = exactDuration(totalSeconds)
  const sessions = sessionCountText(count)
  if (figure !== undefined || reading === 'average') {
    return t('{duration} in {sessions}', { duration, sessions })
  }
  return reading === 'count'
    ? t('{duration} in total', { duration })
    : t('in {sessions}', { sessions })
}

function SessionRow({
  row: { entry, taskName, countedSeconds, isLive },
  now,
  dayRule,
  oneTask,
  onLeave,
}: {
  row: Contribution
  now: number
  dayRule: DayRule
  oneTask: boolean
  onLeave: () => void
}) {
  const { colors } = useTasks()
  const day = sessionDay(entry.startedAt, now, dayRule)
  const { hourCycle } = useSettings()
  const session = sessionTimes(entry, dayRule.timeZone, hourCycle)
  const times = isLive ? t('{times}, running', { times: session }) : session
  return (
    <li className="lazy-row flex items-center gap-3 py-2">
      <Dot tintName={colors.get(entry.taskId)} />
      <div className="flex min-w-0 flex-1 flex-col">
        {oneTask ? (
          <span className="text-sm text-ink">{day}</span>
        ) : (
          <Name text={taskName} className="text-sm text-ink" />
        )}
        <span className="figures text-xs">{oneTask ? times : `${day}, ${times}`}</span>
        {entry.note && (
          <Name text={entry.note} className="text-xs">
            <NoteText note={entry.note} onFollow={onLeave} />
          </Name>
        )}
        {!isLive && <Evidence start={entry.startedAt} end={entry.endedAt} />}
      </div>
      <div className="figures flex shrink-0 flex-col text-end">
        <span className="text-sm text-ink">{exactDuration(countedSeconds)}</span>
        {countedSeconds !== entry.durationSeconds && (
          <span className="text-xs">
            {t('of {duration}', { duration: exactDuration(entry.durationSeconds) })}
          </span>
        )}
      </div>
      {!isLive && (
        <EditSession entryId={entry.id} what={`${day}, ${times}`} className="-my-1 -me-2" />
      )}
    </li>
  )
}

function Actions({
  question,
  explanation,
  dayRule,
}: {
  question: Question
  explanation: Explanation
  dayRule: DayRule
}) {
  const { allTasks } = useTasks()
  const place = useRef<HTMLDivElement>(null)
  const [result, setResult] = useState<'copied' | 'failed' | null>(null)
  const taskId = question.taskIds?.length === 1 ? question.taskIds[0] : undefined
  const isElsewhere = useParams()['taskId'] !== taskId
  const isKnown = allTasks.some((task) => task.id === taskId)

  const copy = async () => {
    if (!place.current) return
    const copied = await copyText(explanationCsv(explanation, dayRule, csvForm()), place.current)
    setResult(copied ? 'copied' : 'failed')
  }

  return (
    <div ref={place} className="flex flex-wrap items-center gap-2 pt-1">
      <Button disabled={explanation.rows.length === 0} onClick={() => void copy()}>
        {result === 'copied' ? (
          <Icon of={Check} className="size-4 text-accent" />
        ) : (
          <Icon of={Copy} />
        )}
        {t('Copy as CSV')}
      </Button>
      {isKnown && isElsewhere && (
        <Link to={`/tasks/${taskId}`} className={buttonClasses('quiet')}>
          {t('Open task analytics')}
        </Link>
      )}
      <output className="text-sm">
        {result === 'copied' &&
          t('{count, plural, one {Copied # session} other {Copied # sessions}}', {
            count: explanation.rows.length,
          })}
        {result === 'failed' && t('Couldn’t copy. Your browser blocked the clipboard.')}
      </output>
    </div>
  )
}
