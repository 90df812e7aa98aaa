import { useRef, useState } from 'react'
import { t } from '@stint/core/text.ts'
import type { RecognisedImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { useCategoryColors } from '#hooks/use-categories.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { ColumnMappingForm } from './column-mapping.tsx'
import { firstImportId } from './import-ids.ts'
import type { ImportChoices } from './import-messages.ts'
import { ImportOptionFields } from './import-options.tsx'
import { Outcome } from './import-outcome.tsx'
import type { Stage } from './import-outcome.tsx'
import { PlanView } from './import-plan.tsx'
import { ImportQuestions } from './import-questions.tsx'
import { keepReceipt } from './import-receipts.ts'
import { Progress } from './progress.tsx'
import { useAccountId } from './use-everything.ts'
import { useImport } from './use-import.ts'
import type { OpenedFile } from './use-import.ts'
import { useRecord } from './use-record.ts'
import { sliced, useUndoImport } from './use-undo-import.ts'

/** Previews a file with the options for reading it, then imports it as one step that can be undone. */
export function ImportReview({
  source: { name, text },
  onClose,
}: {
  source: { readonly name: string; readonly text: string }
  onClose: () => void
}) {
  const { entries, tasks } = useRecord()
  const { newId, now } = useRecordCommands()
  const timeZone = useDayRule().timeZone
  const categoryColors = useCategoryColors()
  // The record as it was when the file was chosen, so that imported sessions are not their own
  // duplicates.
  const [file] = useState((): OpenedFile => {
    const existing = { entries, tasks }
    return { text, existing, categoryColors, now: now(), firstId: firstImportId(newId()) }
  })
  const [choices, setChoices] = useState<ImportChoices | null>(null)
  const { recognised, plan, isCurrent, progress, hasFailed } = useImport(file, choices)
  if (recognised && !choices) setChoices(firstChoices(recognised, timeZone))
  const { stage, save, cancel } = useSaving(file, { name, recognised })
  const change = (more: Partial<ImportChoices>) => {
    setChoices((here) => here && { ...here, ...more })
  }

  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {/* The pressed button disappears at each step, so the heading takes the focus. */}
        <h3
          key={stage.kind}
          ref={takeFocus}
          tabIndex={-1}
          dir="auto"
          className="min-w-0 text-sm font-semibold wrap-anywhere"
        >
          {name}
        </h3>
        {stage.kind === 'review' && (
          <Button variant="quiet" size="small" onClick={onClose}>
            {t('Cancel')}
          </Button>
        )}
      </header>
      {stage.kind !== 'review' ? (
        <Outcome stage={stage} onClose={onClose} onCancel={cancel} />
      ) : hasFailed ? (
        <Banner>{t('The file couldn’t be read. Reload the page and try again.')}</Banner>
      ) : recognised === null || choices === null ? (
        <Progress label={t('Reading the file')} value={0} />
      ) : recognised.format === 'unknown' ? (
        <Banner>{recognised.why}</Banner>
      ) : (
        <>
          <ImportOptionFields
            recognised={recognised}
            choices={choices}
            plan={plan}
            onChange={change}
          />
          {choices.format === 'columns' && choices.mapping && (
            <ColumnMappingForm
              rows={recognised.firstRows}
              mapping={choices.mapping}
              unit={plan?.unit ?? 'hours'}
              onChange={(mapping) => change({ mapping })}
            />
          )}
          {plan === null ? (
            <Progress label={t('Reading the file')} value={progress} />
          ) : (
            // It stays while the next one is made, so that what was pressed keeps the focus.
            <PlanAndQuestions
              plan={plan}
              progress={isCurrent ? null : progress}
              choices={choices}
              onChange={change}
              onSave={save}
            />
          )}
        </>
      )}
    </div>
  )
}

function firstChoices({ format, mapping }: RecognisedImport, timeZone: string): ImportChoices {
  return {
    format,
    timeZone,
    ...(mapping && { mapping }),
    repeats: 'take',
    likely: 'leave',
    doubledHour: 'first',
  }
}

function PlanAndQuestions({
  plan,
  progress,
  choices,
  onChange,
  onSave,
}: {
  plan: ImportPlan
  /** Of the plan that will take its place; null without one. */
  progress: number | null
  choices: ImportChoices
  onChange: (choices: Partial<ImportChoices>) => void
  onSave: (plan: ImportPlan) => Promise<void>
}) {
  const count = plan.changes.length
  return (
    <>
      <PlanView
        plan={plan}
        questions={<ImportQuestions plan={plan} choices={choices} onChange={onChange} />}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          disabled={count === 0 || progress !== null}
          onClick={() => void onSave(plan)}
        >
          {t('{count, plural, one {Import # session} other {Import # sessions}}', { count })}
        </Button>
        {progress ? (
          <Progress label={t('Reading the file')} value={progress} />
        ) : (
          <span className="text-sm text-quiet">{t('Nothing is saved yet.')}</span>
        )}
      </div>
    </>
  )
}

/** Saves a plan in slices, with a receipt. What is saved of one that fails or is cancelled is removed. */
function useSaving(
  { firstId, now }: OpenedFile,
  { name, recognised }: { readonly name: string; readonly recognised: RecognisedImport | null },
) {
  const { changeMany } = useRecordCommands()
  const account = useAccountId()
  const undoImport = useUndoImport()
  const isCancelled = useRef(false)
  const [stage, setStage] = useState<Stage>({ kind: 'review' })

  async function save({ changes, tasks: newTasks, restored, statement }: ImportPlan) {
    const tasksBack = restored.map((taskId) => ({ taskId, changes: { isActive: true } }))
    const slices = [
      { newTasks, tasks: tasksBack },
      ...sliced(changes).map((some) => ({ entries: some })),
    ]
    const sessions = changes.length
    const ids = newTasks.length + sessions
    const receipt = {
      account,
      at: now,
      name,
      label: recognised?.label ?? '',
      sessions,
      statement,
      firstId,
      ids,
      restored,
      isUndone: false,
      isComplete: false,
    }
    setStage({ kind: 'saving', done: 0, steps: slices.length })
    keepReceipt(receipt)
    try {
      const message = t('{count, plural, one {# session imported} other {# sessions imported}}', {
        count: sessions,
      })
      await changeMany(slices, message, {
        onProgress: (done) => {
          if (isCancelled.current) throw new DOMException('Cancelled', 'AbortError') // not translated: nobody reads it
          setStage({ kind: 'saving', done, steps: slices.length })
        },
        onUndone: () => {
          keepReceipt({ ...receipt, isUndone: true, isComplete: true })
          setStage({ kind: 'undone' })
        },
      })
      keepReceipt({ ...receipt, isComplete: true })
      setStage({ kind: 'saved', sessions, statement })
    } catch {
      const isUndone = await undoImport(receipt, () => keepReceipt(receipt)).then(
        () => true,
        () => false,
      )
      // What could not be removed can be undone with the receipt.
      keepReceipt({ ...receipt, isUndone })
      const kind = isCancelled.current ? 'cancelled' : 'failed'
      setStage({ kind: isUndone ? kind : 'interrupted' })
    }
  }
  return {
    stage,
    save,
    cancel: () => {
      isCancelled.current = true
    },
  }
}
