import { useState, useSyncExternalStore } from 'react'
import { t } from '@stint/core/text.ts'
import { formatFullDate, localDate } from '@stint/core/time/calendar.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useNow } from '#hooks/use-now.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast.tsx'
import { canUndo, keepReceipt, receiptChanges, receiptsOf } from './import-receipts.ts'
import type { ImportReceipt } from './import-receipts.ts'
import { longDuration, StatementView } from './import-statement.tsx'
import { useAccountId } from './use-everything.ts'
import { useUndoImport } from './use-undo-import.ts'

/** The receipts of the imports on this device, each with an undo for 30 days. */
export function ImportReceipts() {
  const account = useAccountId()
  useSyncExternalStore(receiptChanges.subscribe, receiptChanges.get)
  const receipts = receiptsOf(account)
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{t('Imports on this device')}</h3>
      <ul
        aria-label={t('Imports on this device')}
        className="divide-y divide-line rounded-panel border border-line bg-surface text-sm"
      >
        {receipts.map((receipt) => (
          <Receipt key={receipt.firstId} receipt={receipt} />
        ))}
      </ul>
    </div>
  )
}

function Receipt({ receipt }: { receipt: ImportReceipt }) {
  const { name, label, at, sessions, statement, isUndone, isComplete } = receipt
  const dayRule = useDayRule()
  const now = useNow()
  const undoImport = useUndoImport()
  const [isBusy, setIsBusy] = useState(false)

  async function undo() {
    setIsBusy(true)
    try {
      const { kept } = await undoImport(receipt, () => keepReceipt(receipt))
      keepReceipt({ ...receipt, isUndone: true })
      if (kept > 0) {
        showToast({
          text: t(
            '{count, plural, one {Kept # session that changed since} other {Kept # sessions that changed since}}',
            { count: kept },
          ),
        })
      }
    } catch {
      showToast({ text: t('Couldn’t undo the import. Try again.'), tone: 'danger' })
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 max-md:basis-full">
          <span dir="auto" className="block font-semibold wrap-anywhere">
            {name}
          </span>
          <span className="figures flex flex-wrap gap-x-3 text-quiet">
            <span>{formatFullDate(localDate(at, dayRule))}</span>
            <span>{label}</span>
          </span>
        </span>
        <span className="figures">
          {isUndone
            ? t('Import undone.')
            : t('{count, plural, one {# session} other {# sessions}}, {duration}', {
                count: sessions,
                duration: longDuration(statement.countedSeconds),
              })}
        </span>
        {canUndo(receipt, now) && (
          <Button size="small" disabled={isBusy} onClick={() => void undo()}>
            {t('Undo import')}
          </Button>
        )}
      </div>
      {!isComplete && !isUndone && (
        <p>
          {t(
            'This import was interrupted. Import the same file again to add the rest, or undo it.',
          )}
        </p>
      )}
      {!isUndone && (
        <details>
          <summary className="w-fit cursor-pointer py-1 text-quiet">{t('Receipt')}</summary>
          <div className="pt-2">
            <StatementView statement={statement} tense="done" of={name} />
          </div>
        </details>
      )}
    </li>
  )
}
