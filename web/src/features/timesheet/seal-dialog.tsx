import { useState } from 'react'
import { hasRoomForMarks, sealedBefore } from '@stint/core/timesheet/seal-sheet.ts'
import { MAX_SEALED, MAX_SEALED_FILTER } from '@stint/core/timesheet/sealed-sheets.ts'
import type { Timesheet } from '@stint/core/timesheet/timesheet.ts'
import { t } from '@stint/core/text.ts'
import { useNavigate } from '#ui/navigation.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useSealCommands, useSealedSheets } from './use-seals.ts'
import type { SheetToSeal } from './use-seals.ts'

/** Says what sealing does, and seals. */
export function SealDialog({
  sheet,
  about,
  onClose,
}: {
  sheet: Timesheet
  about: SheetToSeal
  onClose: () => void
}) {
  const sheets = useSealedSheets()
  const { seal } = useSealCommands()
  const navigate = useNavigate()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState(() => problemOf(sheet, about, sheets.length))
  const invoiced = sealedBefore(sheet)

  async function send() {
    setIsBusy(true)
    try {
      const id = await seal(sheet, about)
      if (id === null) return
      onClose()
      navigate(`/timesheet?sheet=${id}`)
    } catch {
      setProblem(t('This browser can’t seal here. Open Stint over https.'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Dialog
      open
      title={t('Seal this timesheet?')}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="primary"
            busy={isBusy}
            disabled={problem !== null}
            onClick={() => void send()}
          >
            {t('Seal')}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </>
      }
    >
      {problem !== null && <Banner>{problem}</Banner>}
      <p>
        {t(
          '{count, plural, one {Its session is} other {Its # sessions are}} marked as invoiced, and the sheet gets a hash of its lines. Later changes are asked about, and listed here as differences.',
          { count: sheet.sessionCount },
        )}
      </p>
      {invoiced > 0 && (
        <p className="font-semibold text-ink">
          {t(
            '{count, plural, one {# session is} other {# sessions are}} on a sealed timesheet with these days already.',
            { count: invoiced },
          )}
        </p>
      )}
    </Dialog>
  )
}

function problemOf(sheet: Timesheet, { filter }: SheetToSeal, sealed: number): string | null {
  if (!hasRoomForMarks(sheet)) return t('A session has no room for one more seal.')
  if (sealed >= MAX_SEALED)
    return t('You can keep {max} sealed timesheets. Remove one first.', { max: MAX_SEALED })
  return filter.length > MAX_SEALED_FILTER
    ? t('The filter of a sealed timesheet has at most {max} characters.', {
        max: MAX_SEALED_FILTER,
      })
    : null
}
