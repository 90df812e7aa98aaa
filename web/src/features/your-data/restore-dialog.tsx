import { useCallback, useMemo, useState } from 'react'
import { grouped } from '@stint/core/grouped.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { planRestore } from '@stint/core/transfer/restore-plan.ts'
import type { RestorePlan } from '@stint/core/transfer/restore-plan.ts'
import { useRecord } from '#session/signed-in.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Name } from '#ui/name.tsx'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useEverythingNow } from './use-everything.ts'
import { ChangedEntry } from './changed-entry.tsx'
import { Listed, More } from './import-list.tsx'
import { MAX_LISTED } from './import-plan.tsx'
import { Progress } from './progress.tsx'
import { useSteps } from './use-steps.ts'
import { sliced } from './use-undo-import.ts'

/** A file to restore from. */
export interface RestoreSource {
  readonly name: string
  readonly text: string
}

/** What to restore besides what is missing. */
interface Choice {
  /** Sessions and tasks that were changed since. */
  readonly changed: boolean
  readonly settings: boolean
}

/** Previews what a file would restore, then restores it as one step that can be undone. */
export function RestoreDialog({
  source: { name, text },
  onClose,
}: {
  source: RestoreSource
  onClose: () => void
}) {
  const record = useRecord()
  const existing = useEverythingNow()
  const { now, changeMany } = useRecordCommands()
  const contextOf = () => {
    const unfinished = record.value('unfinished')?.sessions ?? []
    const timer = record.value('timer')?.timer.sessionId
    const running = [...unfinished.map(({ id }) => id), ...(timer === undefined ? [] : [timer])]
    return { existing, account: existing.account, running: new Set(running), now: now() }
  }
  const [context, setContext] = useState(contextOf)
  const { result, progress } = useSteps(
    useCallback(() => planRestore(text, context), [text, context]),
  )
  const [choice, setChoice] = useState<Choice>({ changed: true, settings: false })
  const [saved, setSaved] = useState<number | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  // What other devices change meanwhile is part of the preview, until the owner decides.
  if (saved === null && context.existing !== existing) setContext(contextOf())

  async function restore(plan: RestorePlan) {
    const slices = slicesOf(plan, choice)
    const count = chosenEntries(plan, choice).length
    setSaved(0)
    setHasFailed(false)
    try {
      const message =
        count === 0
          ? t('Restored')
          : t('{count, plural, one {# session restored} other {# sessions restored}}', { count })
      await changeMany(slices, message, {
        onProgress: (done) => setSaved(done / slices.length),
        onUndone: () => undefined,
      })
      onClose()
    } catch {
      setSaved(null)
      setHasFailed(true)
    }
  }

  const plan = result && 'read' in result ? result.read : null
  const isEmpty = plan !== null && slicesOf(plan, choice).length === 0
  return (
    <Dialog
      open
      wide
      title={t('Restore from {name}', { name })}
      // What was begun is completed.
      onClose={() => saved === null && onClose()}
      actions={
        plan && saved === null ? (
          <>
            <Button variant="primary" disabled={isEmpty} onClick={() => void restore(plan)}>
              {t('Restore')}
            </Button>
            <Button variant="quiet" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <span className="text-sm text-quiet md:me-auto md:self-center">
              {t('Nothing is changed yet.')}
            </span>
          </>
        ) : (
          saved === null && <Button onClick={onClose}>{t('Close')}</Button>
        )
      }
    >
      {result === null && <Progress label={t('Reading the file')} value={progress} />}
      {result && 'why' in result && <Banner>{result.why}</Banner>}
      {saved !== null && <Progress label={t('Saving on this device')} value={saved} />}
      {hasFailed && (
        <Banner>
          {t('Some of it couldn’t be saved. Restore the same file again to add the rest.')}
        </Banner>
      )}
      {plan && saved === null && (
        <Preview plan={plan} choice={choice} onChoose={setChoice} now={context.now} />
      )}
    </Dialog>
  )
}

function Preview({
  plan,
  choice,
  onChoose,
  now,
}: {
  plan: RestorePlan
  choice: Choice
  onChoose: (choice: Choice) => void
  now: number
}) {
  const { entries, tasks, prefs, problems, isOwn, exportedAt } = plan
  const dayRule = useDayRule()
  const { clockTime } = useFormats()
  const settings = Object.keys(prefs ?? {}).length
  const tasksBack = tasks.changed.filter(({ changes }) => changes.isActive === true)
  const rows: readonly [label: string, sessions: number, tasks: number][] = [
    [t('Restored'), entries.back.length, tasks.missing.length + tasksBack.length],
    [t('Reverted'), entries.changed.length, tasks.changed.length - tasksBack.length],
    [t('Unchanged'), entries.same, tasks.same],
    [t('Not in the file, kept'), entries.newer, tasks.newer],
  ]
  return (
    <div className="flex flex-col gap-4 text-ink">
      {exportedAt !== null && (
        <p className="text-sm text-quiet">
          {t('This file was made: {day}, {time}', {
            day: sessionDay(exportedAt, now, dayRule),
            time: clockTime(exportedAt, dayRule.timeZone),
          })}
        </p>
      )}
      {!isOwn && (
        <Banner tone="notice">
          {t('This file is from another account. Its sessions are added as new ones.')}
        </Banner>
      )}
      <table className="w-full text-sm">
        <caption className="sr-only">{t('What would be restored')}</caption>
        <thead>
          <tr className="text-xs text-quiet">
            <th scope="col" className="text-start font-normal">
              <span className="sr-only">{t('Preview')}</span>
            </th>
            <th scope="col" className="py-1 text-end font-normal">
              {t('Sessions')}
            </th>
            <th scope="col" className="py-1 text-end font-normal">
              {t('Tasks')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, ...counts]) => (
            <tr key={label} className="border-t border-line">
              <th scope="row" className="py-2 pe-2 text-start font-normal">
                {label}
              </th>
              {counts.map((count, index) => (
                <td key={index} className="figures w-20 py-2 text-end font-semibold">
                  {grouped(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {entries.overlaps > 0 && (
        <Banner tone="notice">
          {t(
            '{count, plural, one {# of these sessions overlaps one that isn’t in the file.} other {# of these sessions overlap ones that aren’t in the file.}} Data checks can trim them.',
            { count: entries.overlaps },
          )}
        </Banner>
      )}
      <div className="flex flex-col">
        {entries.changed.length + tasks.changed.length - tasksBack.length > 0 && (
          <Checkbox
            label={t('Revert what has changed since')}
            checked={choice.changed}
            onChange={({ target }) => onChoose({ ...choice, changed: target.checked })}
          />
        )}
        {settings > 0 && (
          <Checkbox
            label={t('{count, plural, one {Restore # setting} other {Restore # settings}}', {
              count: settings,
            })}
            checked={choice.settings}
            onChange={({ target }) => onChoose({ ...choice, settings: target.checked })}
          />
        )}
      </div>
      <Lists plan={plan} choice={choice} now={now} />
      {problems.length > 0 && (
        <Listed level="h3" title={t('Skipped')}>
          {problems.slice(0, MAX_LISTED).map(({ line, text, why }) => (
            <li key={`${line} ${why}`} className="flex flex-col px-4 py-2">
              {why}
              <span dir="auto" className="truncate text-quiet" title={text}>
                {text}
              </span>
            </li>
          ))}
          {problems.length > MAX_LISTED && <More count={problems.length - MAX_LISTED} />}
        </Listed>
      )}
    </div>
  )
}

/** The tasks and sessions that change. */
function Lists({ plan, choice, now }: { plan: RestorePlan; choice: Choice; now: number }) {
  const { missing, changed } = plan.tasks
  const entries = useMemo(() => chosenEntries(plan, choice), [plan, choice])
  // The names that tasks have afterwards.
  const named = useMemo(
    () =>
      new Map(
        [...missing, ...changed.map(({ task, changes }) => ({ ...task, ...changes }))].map(
          (task) => [task.id, task],
        ),
      ),
    [missing, changed],
  )
  const tasks = [
    ...missing.map(({ id, name }) => ({ id, was: null, is: name })),
    ...changed
      .filter(({ changes }) => choice.changed || changes.isActive === true)
      .map(({ task: { id, name }, changes }) => ({ id, was: name, is: changes.name ?? name })),
  ]
  return (
    <>
      {tasks.length > 0 && (
        <Listed level="h3" title={t('Tasks')}>
          {tasks.slice(0, MAX_LISTED).map(({ id, was, is }) => (
            <li key={id} className="flex flex-wrap gap-x-2 px-4 py-2">
              {was !== null && was !== is && (
                <s className="min-w-0 text-quiet">
                  <Name text={was} />
                </s>
              )}
              <Name text={is} />
            </li>
          ))}
          {tasks.length > MAX_LISTED && <More count={tasks.length - MAX_LISTED} />}
        </Listed>
      )}
      {entries.length > 0 && (
        <Listed level="h3" title={t('Sessions')}>
          {entries.slice(0, MAX_LISTED).map((change) => (
            <li key={change.after.id} className="flex px-4 py-2">
              <ChangedEntry
                label={labelOf(change)}
                change={isBack(change) ? { ...change, before: null } : change}
                newTask={named.get(change.after.taskId)}
                now={now}
              />
            </li>
          ))}
          {entries.length > MAX_LISTED && <More count={entries.length - MAX_LISTED} />}
        </Listed>
      )}
    </>
  )
}

function labelOf(change: EntryChange): string {
  if (isBack(change)) return t('session|Restored')
  return change.after.deletedAt === null ? t('session|Reverted') : t('Deleted again')
}

/** Returns whether the session is missing, or was deleted. */
function isBack({ before }: EntryChange): boolean {
  return before === null || before.deletedAt !== null
}

function chosenEntries({ entries }: RestorePlan, { changed }: Choice): readonly EntryChange[] {
  return changed ? [...entries.back, ...entries.changed] : entries.back
}

/** Returns the writes of a restoration; none if there is nothing to do. */
function slicesOf(plan: RestorePlan, choice: Choice) {
  const { missing, changed } = plan.tasks
  const tasks = changed.flatMap(({ task, changes }) => {
    const chosen = choice.changed ? changes : changes.isActive === true ? { isActive: true } : null
    return chosen ? [{ taskId: task.id, changes: chosen }] : []
  })
  const prefs = choice.settings ? (plan.prefs ?? {}) : {}
  const hasPrefs = Object.keys(prefs).length > 0
  const isChanged = missing.length > 0 || tasks.length > 0 || hasPrefs
  const first = { newTasks: missing, tasks, ...(hasPrefs && { prefs: { changes: prefs } }) }
  const slices = sliced(chosenEntries(plan, choice)).map((entries) => ({ entries }))
  return isChanged ? [first, ...slices] : slices
}
