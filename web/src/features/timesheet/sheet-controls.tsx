import type { ReactNode } from 'react'
import type { SheetChoices } from '@stint/core/timesheet/choices.ts'
import {
  ROUNDED_UNITS,
  ROUNDING_DIRECTIONS,
  ROUNDING_STEPS,
} from '@stint/core/timesheet/rounding.ts'
import type { Rounding } from '@stint/core/timesheet/rounding.ts'
import type { SheetGrouping } from '@stint/core/timesheet/timesheet.ts'
import { t } from '@stint/core/text.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { SelectField } from '#ui/select-field.tsx'

const DIRECTIONS: Readonly<Record<Rounding['direction'], string>> = {
  up: t('rounding|Up'),
  nearest: t('rounding|To the nearest'),
  down: t('rounding|Down'),
}
const UNITS: Readonly<Record<Rounding['per'], string>> = {
  session: t('Each session'),
  line: t('Each task of a day'),
  total: t('The total'),
}
const GROUPS: readonly { value: SheetGrouping; label: string }[] = [
  { value: 'day', label: t('By day') },
  { value: 'task', label: t('By task') },
]

/** The choices of a timesheet: how it is rounded, and what its lines are under. */
export function SheetControls({
  choices,
  hasRates,
  onChange,
}: {
  choices: SheetChoices
  hasRates: boolean
  onChange: (choices: SheetChoices) => void
}) {
  const { rounding, onlyBillable } = choices
  const round = (change: Partial<Rounding>) =>
    onChange({ ...choices, rounding: { ...rounding, ...change } })
  return (
    <section
      aria-label={t('Rounding and layout')}
      className="flex flex-wrap items-end gap-3 print:hidden"
    >
      <div className="grid grow grid-cols-2 gap-3 md:grid-cols-3 lg:flex lg:grow-0">
        <Choice
          label={t('Round to')}
          options={ROUNDING_STEPS}
          nameOf={(step) =>
            step === 0
              ? t('Exact times')
              : t('{count, plural, one {# minute} other {# minutes}}', { count: step })
          }
          value={rounding.step}
          onChange={(step) => round({ step })}
        />
        {rounding.step > 0 && (
          <>
            <Choice
              label={t('Direction')}
              options={ROUNDING_DIRECTIONS}
              nameOf={(direction) => DIRECTIONS[direction]}
              value={rounding.direction}
              onChange={(direction) => round({ direction })}
            />
            <Choice
              label={t('What is rounded')}
              options={ROUNDED_UNITS}
              nameOf={(per) => UNITS[per]}
              value={rounding.per}
              onChange={(per) => round({ per })}
            />
          </>
        )}
      </div>
      <div className="md:ms-auto">
        <LayoutControls choices={choices} hasRates={hasRates} onChange={onChange}>
          {hasRates && (
            <Checkbox
              label={t('Only billable')}
              checked={onlyBillable}
              onChange={({ target }) => onChange({ ...choices, onlyBillable: target.checked })}
            />
          )}
        </LayoutControls>
      </div>
    </section>
  )
}

/** The choices that do not change what is on the sheet. */
export function LayoutControls({
  choices,
  hasRates,
  onChange,
  children,
}: {
  choices: SheetChoices
  hasRates: boolean
  onChange: (choices: SheetChoices) => void
  children?: ReactNode
}) {
  const { groupBy, showsExact, showsAmounts } = choices
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 md:min-h-10">
      <Checkbox
        label={t('Sessions and exact times')}
        checked={showsExact}
        onChange={({ target }) => onChange({ ...choices, showsExact: target.checked })}
      />
      {children}
      {hasRates && (
        <Checkbox
          label={t('Amounts')}
          checked={showsAmounts}
          onChange={({ target }) => onChange({ ...choices, showsAmounts: target.checked })}
        />
      )}
      <Segmented
        label={t('Lines')}
        options={GROUPS}
        value={groupBy}
        onChange={(by) => onChange({ ...choices, groupBy: by })}
      />
    </div>
  )
}

function Choice<Option extends string | number>({
  label,
  options,
  nameOf,
  value,
  onChange,
}: {
  label: string
  options: readonly Option[]
  nameOf: (option: Option) => string
  value: Option
  onChange: (option: Option) => void
}) {
  return (
    <div className="lg:w-44">
      <SelectField
        label={label}
        value={value}
        onChange={(event) => {
          const picked = options.find((option) => String(option) === event.target.value)
          if (picked !== undefined) onChange(picked)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {nameOf(option)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
