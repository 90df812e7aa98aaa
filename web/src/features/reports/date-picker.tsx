import { useState } from 'react'
import { t } from '@stint/core/text.ts'
import { isCalendarDate } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { DateField } from '#hooks/date-field.tsx'

/** Asks for a date. */
export function DatePicker({
  first,
  onPick,
  onClose,
}: {
  /** The date that is proposed. */
  first: CalendarDate
  onPick: (date: CalendarDate) => void
  onClose: () => void
}) {
  const [value, setValue] = useState<string>(first)
  const [isWrong, setIsWrong] = useState(false)
  return (
    <Dialog open title={t('Go to date')} onClose={onClose}>
      <form
        noValidate
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (isCalendarDate(value)) onPick(value)
          else setIsWrong(true)
        }}
      >
        <div className="flex-1">
          <DateField
            label={t('Date')}
            data-autofocus=""
            value={value}
            error={isWrong ? t('Enter a date.') : null}
            onChange={(date) => {
              setValue(date)
              setIsWrong(false)
            }}
          />
        </div>
        <Button type="submit" variant="primary" className="md:h-10">
          {t('Show')}
        </Button>
      </form>
    </Dialog>
  )
}
