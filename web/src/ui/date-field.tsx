import { CalendarDays } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { t } from '@stint/core/text.ts'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { later } from './later.tsx'

const CalendarPopover = later(async () => (await import('./calendar.tsx')).CalendarPopover)

interface Props extends FieldTexts {
  value: string
  onChange: (date: string) => void
  /** Returns the date that a person typed; null if it is none. */
  read: (text: string) => string | null
  /** Returns the text of a date. */
  write: (date: string) => string
  /** Returns the text that says which date was read, with its weekday. */
  say: (date: string) => string
  today: string
  /** The last date to choose in the calendar. */
  max?: string | undefined
  /** 0 for Sunday … 6 for Saturday. */
  weekStart: number
  /** Set: has the focus first in its dialog. */
  'data-autofocus'?: ''
}

/**
 * A text field for a date, with a calendar that opens from its button or by an arrow key. Dates are
 * 'YYYY-MM-DD'; `onChange` is called with '' while the text is none.
 */
export function DateField({
  label,
  hint,
  error,
  value,
  onChange,
  read,
  write,
  say,
  today,
  max,
  weekStart,
  ...focus
}: Props) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<{ text: string; date: string } | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  /** What was typed stays as it is until the field is left, or the date changes otherwise. */
  const isTyped = typed !== null && typed.date === value
  const text = isTyped ? typed.text : write(value)
  const reading = isTyped && value !== '' ? say(value) : ''

  return (
    <Field id={id} label={label} hint={hint} error={error} reading={reading}>
      <div ref={box} className="relative">
        <input
          {...focus}
          {...describedBy(id, { hint, error })}
          id={id}
          type="text"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
          value={text}
          // So that the first key replaces the date that is shown.
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => {
            const date = read(target.value) ?? ''
            setTyped({ text: target.value, date })
            onChange(date)
          }}
          onBlur={() => {
            if (value !== '') setTyped(null)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            setIsOpen(true)
          }}
          className={classNames(CONTROL_CLASSES, 'figures w-full pe-11')}
        />
        <IconButton
          icon={CalendarDays}
          label={t('Open calendar')}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="absolute inset-y-0 end-0 my-auto md:end-1"
        />
      </div>
      {isOpen && (
        <CalendarPopover
          anchor={box}
          date={value}
          today={today}
          max={max}
          weekStart={weekStart}
          onPick={(date) => {
            setTyped(null)
            onChange(date)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Field>
  )
}
