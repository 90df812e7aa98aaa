import { useMemo, useState } from 'react'
import { planProposal } from '@stint/core/record/proposal.ts'
import type { PlannedChange } from '@stint/core/record/proposal.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { useSession } from '#session/current-session.ts'
import { failureFrom } from '#session/failure.ts'
import type { Session } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxInput } from '#ui/checkbox.tsx'
import { Name } from '#ui/name.tsx'
import { Dot, Panel } from '#ui/row.tsx'
import { showToast } from '#ui/toast.tsx'
import { useRecordCommands } from '#features/changes/api.ts'
import { useDayRule, useSettings } from '#features/settings/api.ts'
import { useTasks } from '#features/tasks/api.ts'

export type Proposal = Awaited<
  ReturnType<Awaited<ReturnType<Session['account']>>['proposals']>
>[number]

const KINDS: Readonly<Record<PlannedChange['kind'], string>> = {
  add: t('New session'),
  edit: t('Changed session'),
  delete: t('Deleted session'),
}

/** Shows what a proposal would change, and accepts what is selected, or dismisses it. */
export function ProposalReview({
  proposal: { id, keyName, reason, changes },
  entries,
  onEnded,
}: {
  proposal: Proposal
  entries: readonly TimeEntry[]
  onEnded: () => void
}) {
  const session = useSession()
  const { change, newId, now } = useRecordCommands()
  const { allTasks } = useTasks()
  const [openedAt] = useState(now)
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [isSending, setIsSending] = useState(false)
  const planned = useMemo(
    () => planProposal(changes, entries, allTasks, newId, openedAt),
    [changes, entries, allTasks, newId, openedAt],
  )
  const isChosen = ({ change: made, status }: PlannedChange, index: number) =>
    made !== null && (chosen.get(index) ?? status === 'fits')
  const accepted = planned.filter(isChosen)

  async function end(accept: boolean) {
    setIsSending(true)
    try {
      // First, so that no proposal can be accepted twice.
      await (await session.account()).endProposal(id)
    } catch (thrown) {
      const { unreachable, message } = failureFrom(thrown)
      const text = unreachable ? t('No internet connection detected') : message
      showToast({ text, tone: 'danger' })
      return
    } finally {
      setIsSending(false)
    }
    if (accept) {
      await change(
        {
          newTasks: [...new Set(accepted.flatMap(({ newTask }) => newTask ?? []))],
          entries: accepted.flatMap((each) => each.change ?? []),
        },
        t('{count, plural, one {Accepted # change} other {Accepted # changes}}', {
          count: accepted.length,
        }),
      )
    }
    onEnded()
  }

  return (
    <Panel>
      <div className="border-b border-line px-4 py-3">
        <h3 className="text-sm font-semibold break-words text-ink">{keyName}</h3>
        <p className="text-sm break-words whitespace-pre-line">{reason}</p>
      </div>
      <ul aria-label={t('Changes')} className="divide-y divide-line">
        {planned.map((each, index) => (
          <li key={index}>
            <label htmlFor={`${id}-${index}`} className="flex items-start gap-3 px-4 py-3">
              <CheckboxInput
                id={`${id}-${index}`}
                checked={isChosen(each, index)}
                disabled={each.change === null}
                onChange={({ target }) => setChosen(new Map(chosen).set(index, target.checked))}
              />
              <ChangeLine planned={each} now={openedAt} />
            </label>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
        <Button
          variant="primary"
          disabled={isSending || accepted.length === 0}
          onClick={() => void end(true)}
        >
          {t('{count, plural, one {Accept # change} other {Accept # changes}}', {
            count: accepted.length,
          })}
        </Button>
        <Button disabled={isSending} onClick={() => void end(false)}>
          {t('proposal|Dismiss')}
        </Button>
      </div>
    </Panel>
  )
}

/** What a change does: the session before, struck out, and after. */
function ChangeLine({ planned, now }: { planned: PlannedChange; now: number }) {
  const { kind, status, change, newTask, overlaps } = planned
  const { allTasks, colors } = useTasks()
  const dayRule = useDayRule()
  const { hourCycle } = useSettings()
  const nameOf = ({ taskId }: TimeEntry) =>
    newTask?.id === taskId ? newTask.name : nameInReports(allTasks.find(({ id }) => id === taskId))
  const timesOf = (entry: TimeEntry) =>
    `${sessionDay(entry.startedAt, now, dayRule)}, ${sessionTimes(entry, dayRule.timeZone, hourCycle)}`
  if (change === null) {
    return (
      <span className="text-sm text-quiet">
        {t('This change is no longer possible: the session was changed or deleted since.')}
      </span>
    )
  }
  const { before, after } = change
  const stays = after.deletedAt === null
  const parts: readonly [was: string | null, is: string | null][] = [
    [before && nameOf(before), nameOf(after)],
    [before && timesOf(before), timesOf(after)],
    [before && before.note, after.note],
  ]
  return (
    <span className="flex min-w-0 flex-1 flex-col text-sm">
      <span className="flex items-center gap-2 text-xs text-quiet">
        <Dot tintName={colors.get(after.taskId)} />
        {KINDS[kind]}
      </span>
      {parts.map(([was, is], index) => (
        <span key={index} className="flex flex-wrap gap-x-2">
          {was !== null && (!stays || was !== is) && (
            <s className="min-w-0 text-quiet">
              <Name text={was} />
            </s>
          )}
          {stays && is !== null && (
            <span className="min-w-0 text-ink">
              <Name text={is} />
            </span>
          )}
        </span>
      ))}
      {status === 'changed' && (
        <span className="text-danger">{t('This session was changed after the proposal.')}</span>
      )}
      {overlaps > 0 && (
        <span className="text-danger">
          {t('{count, plural, one {Overlaps # session} other {Overlaps # sessions}}', {
            count: overlaps,
          })}
        </span>
      )}
    </span>
  )
}
