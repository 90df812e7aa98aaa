import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { ImportStatement } from '@stint/core/transfer/import-statement.ts'
import { useConnection } from '#hooks/use-connection.ts'
import { Button } from '#ui/button.tsx'
import { StatementView } from './import-statement.tsx'
import { Progress } from './progress.tsx'

export type Stage =
  | { readonly kind: 'review' }
  | { readonly kind: 'saving'; readonly done: number; readonly steps: number }
  | { readonly kind: 'saved'; readonly sessions: number; readonly statement: ImportStatement }
  | { readonly kind: 'undone' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed' }
  /** It failed or was cancelled, and what it had saved could not be removed. */
  | { readonly kind: 'interrupted' }

/** The result of the import, and how many changes are unsynced. */
export function Outcome({
  stage,
  onClose,
  onCancel,
}: {
  stage: Exclude<Stage, { kind: 'review' }>
  onClose: () => void
  onCancel: () => void
}) {
  const { online, unsaved, minutesLeft } = useConnection()
  if (stage.kind === 'saving') {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <Progress label={t('Saving on this device')} value={stage.done / stage.steps} />
        </div>
        <Button size="small" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <output aria-label={t('Outcome')} className="figures text-sm">
        {stage.kind === 'saved' &&
          t(
            '{count, plural, one {# session imported, {duration}.} other {# sessions imported, {duration}.}}',
            {
              count: stage.sessions,
              duration: exactDuration(stage.statement.countedSeconds),
            },
          )}
        {stage.kind === 'undone' && t('Import undone.')}
        {stage.kind === 'cancelled' && t('Cancelled. Nothing was imported.')}
        {stage.kind === 'interrupted' &&
          t('This import was interrupted. Import the same file again to add the rest, or undo it.')}
        {stage.kind === 'failed' &&
          t(
            'This device couldn’t save all sessions, so nothing was imported. Free up storage and try again.',
          )}
      </output>
      {stage.kind === 'saved' && <StatementView statement={stage.statement} tense="done" />}
      {unsaved > 0 && (
        <p className="figures text-sm text-quiet">{sendingText(online, unsaved, minutesLeft)}</p>
      )}
      <Button onClick={onClose}>{t('Import another file')}</Button>
    </div>
  )
}

function sendingText(online: boolean, count: number, minutes: number | null): string {
  if (!online) {
    return t('You’re offline. {count, number} waiting to sync. They are kept on this device.', {
      count,
    })
  }
  if (minutes === null) return t('{count, number} waiting to sync.', { count })
  return t(
    '{count, number} waiting to sync. The server limits the rate: about {minutes, plural, one {# minute} other {# minutes}} left. Keep Stint open. If you close it, syncing continues next time.',
    { count, minutes },
  )
}
