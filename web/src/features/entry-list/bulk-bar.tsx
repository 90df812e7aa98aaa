import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { BulkEdit } from '@stint/core/record/bulk-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { untilLoaded } from '#loading/until-loaded.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxInput } from '#ui/checkbox.tsx'
import { useFormats } from '#hooks/use-formats.ts'
import { later } from '#ui/later.tsx'
import type { Asked } from './bulk-dialog.tsx'
import { useExport } from './use-export.ts'

/** In the file of the editors, which every screen loads in the background. */
const BulkDialog = later(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

/** Selects all, and edits the selected sessions. It stays at the top of the window. */
export function BulkBar({
  selected,
  count,
  progress,
  onSelectAll,
  onClear,
  onEdit,
}: {
  /** Newest first. */
  selected: readonly TimeEntry[]
  /** How many sessions are listed. */
  count: number
  /** The share of the last edit that is saved, from 0 to 1; null when nothing is being saved. */
  progress: number | null
  onSelectAll: () => void
  onClear: () => void
  onEdit: (edit: BulkEdit) => void
}) {
  const { duration } = useFormats()
  const [asked, setAsked] = useState<Asked | null>(null)
  const boxId = useId()
  const exportCsv = useExport()
  const bar = useRef<HTMLElement>(null)
  const seconds = selected.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  const isAny = selected.length > 0

  // Ahead, so that the keys after a press on a button are typed into its dialog.
  useEffect(() => {
    const unmounted = new AbortController()
    void untilLoaded(BulkDialog.load, unmounted)
    return () => unmounted.abort()
  }, [])

  return (
    <section
      ref={bar}
      aria-label={t('Selection')}
      className="sticky top-0 z-20 short:static flex shadow-[0_1px_0_var(--color-line)] flex-wrap items-center gap-x-2 rounded-t-panel bg-surface pe-2 text-sm md:min-h-12 md:flex-nowrap"
    >
      <label
        htmlFor={boxId}
        className="flex min-h-12 w-11 shrink-0 md:w-12 items-center justify-center"
      >
        <CheckboxInput
          id={boxId}
          aria-label={t('Select all')}
          checked={isAny && selected.length === count}
          onChange={({ target }) => (target.checked ? onSelectAll() : onClear())}
        />
      </label>
      <output title={isAny ? exactDuration(seconds) : undefined} className="figures flex-1">
        {isAny &&
          t('{count, number} selected, {duration}', {
            count: selected.length,
            duration: duration(seconds),
          })}
        {progress !== null && (
          <span style={{ animationDelay: '1s' }} className="ms-3 animate-late text-quiet">
            {t('Saving… {percent}%', { percent: Math.floor(100 * progress) })}
          </span>
        )}
        {!isAny && progress === null && (
          <span aria-hidden="true" className="text-quiet">
            {t('Select all')}
          </span>
        )}
      </output>
      {isAny && (
        <div className="flex gap-1 overflow-x-auto max-md:w-full max-md:pb-1 max-md:ps-2 md:py-1">
          {ASKING.map(([kind, label]) => (
            <Button key={kind} variant="quiet" size="small" onClick={() => setAsked(kind)}>
              {label}
            </Button>
          ))}
          <Button variant="quiet" size="small" onClick={() => void exportCsv(selected)}>
            {t('Export CSV')}
          </Button>
          <Button
            variant="quiet"
            size="small"
            className="text-danger!"
            onClick={() => {
              // The button goes with the selection.
              bar.current?.querySelector('input')?.focus()
              onEdit({ kind: 'delete' })
            }}
          >
            {t('Delete')}
          </Button>
          <Button variant="quiet" size="small" onClick={onClear}>
            {t('Clear selection')}
          </Button>
        </div>
      )}
      {asked && (
        <BulkDialog
          asked={asked}
          entries={selected}
          onClose={() => setAsked(null)}
          onEdit={(edit) => {
            // Closed first, so that the button has the focus again before it may go.
            flushSync(() => setAsked(null))
            onEdit(edit)
          }}
        />
      )}
    </section>
  )
}

const ASKING: readonly (readonly [asked: Asked, label: string])[] = [
  ['move', t('Change task')],
  ['tag', t('Add tag')],
  ['untag', t('Remove tag')],
  ['shift', t('Move earlier or later')],
]
