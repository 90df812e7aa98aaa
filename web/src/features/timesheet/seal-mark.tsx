import type { SealedSheet } from '@stint/core/timesheet/sealed-sheets.ts'
import { t } from '@stint/core/text.ts'
import { formatFullDate, lastDay } from '@stint/core/time/calendar.ts'
import { CSV_FORM, csvDuration } from '@stint/core/transfer/csv-form.ts'
import { QrCode } from '#ui/qr-code.tsx'

/** The seal on the paper: the day, the hash of the lines, and both with days and total as a QR code. */
export function SealMark({ sealed }: { sealed: SealedSheet }) {
  const { sealedOn, hash } = sealed
  return (
    <div className="flex items-center gap-4">
      <QrCode text={qrText(sealed)} label={t('The seal as a QR code')} className="size-28" />
      <p className="min-w-0">
        <span className="block font-semibold">
          {t('Sealed on {date}', { date: formatFullDate(sealedOn) })}
        </span>
        <span className="block text-quiet">{t('SHA-256 of the lines')}</span>
        <span className="figures block text-xs wrap-anywhere">{hash}</span>
      </p>
    </div>
  )
}

/** Returns what a reader of the code compares with the paper, in English in every language. */
function qrText({ id, sealedOn, dates, seconds, hash }: SealedSheet): string {
  return [
    `Stint timesheet ${id}`, // not translated: for programs
    `days ${dates.from} to ${lastDay(dates)}`,
    `total ${csvDuration(seconds, CSV_FORM)}`,
    `sealed ${sealedOn}`,
    `sha256 ${hash}`,
  ].join('\n')
}
