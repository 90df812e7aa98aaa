import {
  formatFullDate,
  formatWeekdayAndDate,
  isCalendarDate,
  localDate,
} from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { readDay } from '@stint/core/time/day-text.ts'
import type { ComponentProps } from 'react'

import { DateField as Field } from '#ui/date-field.tsx'
import { isDayFirst } from './day-order.ts'
import { useNow } from './use-now.ts'
import { useDayRule, useSettings } from './use-settings.ts'

/** A field for a date, typed in any way or chosen in a calendar whose weeks start as the settings say. */
export function DateField(
  props: Omit<ComponentProps<typeof Field>, 'read' | 'write' | 'say' | 'today' | 'weekStart'>,
) {
  const { timeZone } = useDayRule()
  const { weekStart } = useSettings()
  const today = localDate(useNow(), dayRuleOf(timeZone))
  return (
    <Field
      {...props}
      read={(text) => readDay(text, { today, isDayFirst: isDayFirst() })}
      write={(date) => (isCalendarDate(date) ? formatFullDate(date) : date)}
      say={(date) => (isCalendarDate(date) ? formatWeekdayAndDate(date, true) : date)}
      today={today}
      weekStart={weekStart}
    />
  )
}
