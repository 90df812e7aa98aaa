import { useMemo, useState } from 'react'
import { planProposal } from '@stint/core/record/proposal.ts'
import type { PlannedChange } from '@stint/core/record/proposal.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { useSession } from '#session/current-session.ts'
import { failureFrom } from '#session/failure.ts'
import type { Session } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxInput } from '#ui/checkbox.tsx'
import { Panel } from '#ui/row.tsx'
import { showToast } from '#ui/toast.tsx'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { ChangedEntry } from './changed-entry.tsx'

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
  if (change === null) {
    return (
      <span className="text-sm text-quiet">
        {t('This change is no longer possible: the session was changed or deleted since.')}
      </span>
    )
  }
  return (
    <ChangedEntry label={KINDS[kind]} change={change} now={now} newTask={newTask}>
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
    </ChangedEntry>
  )
}
