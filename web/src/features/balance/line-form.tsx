import { itemsOf } from '@stint/core/balance/account.ts'
import { itemText } from '@stint/core/balance/item-text.ts'
import type { Item } from '@stint/core/balance/items.ts'
import { lineProblem, readLine } from '@stint/core/balance/line.ts'
import { localDate } from '@stint/core/time/calendar.ts'
import { useState } from 'react'
import type { ReactNode } from 'react'

import { isDayFirst } from '#hooks/day-order.ts'
import { useNow } from '#hooks/use-now.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { Form } from '#ui/form.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useBalanceCommands, useHoursAccount } from './use-balance.ts'

/**
 * A field for a line of the account, which shows how the line is read. What cannot be saved stays in the
 * field, with the reason.
 */
export function LineForm({
  label,
  placeholder,
  instead,
  onSaved,
  takesFocus = false,
  isInline = false,
  children,
}: {
  label: string
  placeholder: string
  /** The item that is edited; null for a new one. */
  instead: Item | null
  onSaved?: () => void
  takesFocus?: boolean
  /** The button is beside the field where there is room. */
  isInline?: boolean
  /** The buttons of the form. */
  children: ReactNode
}) {
  const [line, setLine] = useState(instead ? itemText(instead) : '')
  const [problem, setProblem] = useState<string | null>(null)
  const account = useHoursAccount()
  const today = localDate(useNow(), useDayRule())
  const { weekStart } = useSettings()
  const { save } = useBalanceCommands()
  const read = readLine(line, { today, weekStart, isDayFirst: isDayFirst() })

  async function send() {
    if (read.kind === 'empty') return
    const others = itemsOf(account).filter((item) => item !== instead)
    const found = read.kind === 'problem' ? read.message : lineProblem(read.item, others)
    setProblem(found)
    if (found !== null || read.kind === 'problem') return
    await save(read.item, instead)
    setLine('')
    onSaved?.()
  }

  return (
    <Form
      noValidate
      onSend={send}
      className={
        isInline ? 'flex flex-col gap-3 md:flex-row md:*:first:flex-1' : 'flex flex-col gap-3'
      }
    >
      <TextField
        label={label}
        data-autofocus={takesFocus ? '' : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={line}
        hint={<output>{read.kind === 'item' ? itemText(read.item) : ' '}</output>}
        error={problem}
        onChange={({ target }) => {
          setLine(target.value)
          setProblem(null)
        }}
      />
      {children}
    </Form>
  )
}
