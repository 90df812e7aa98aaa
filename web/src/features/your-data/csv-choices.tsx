import { t } from '@stint/core/text.ts'
import { CSV_DECIMALS, CSV_DURATIONS, CSV_SEPARATORS } from '@stint/core/transfer/csv-form.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'
import { useId } from 'react'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Select } from '#ui/select.tsx'

const SEPARATORS = {
  comma: t('Comma (,)'),
  semicolon: t('Semicolon (;)'),
  tab: t('separator|Tab'),
}
const DECIMALS = { point: t('Point (.)'), comma: t('Comma (,)') }
const SIGNS = { point: '.', comma: ',' }

/** What a CSV file has between fields, and how it writes durations: a row each. */
export function CsvChoices({
  form,
  onChange,
}: {
  form: CsvForm
  onChange: (form: CsvForm) => void
}) {
  const hours = `1${SIGNS[form.decimal]}5`
  return (
    <>
      <Choice
        label={t('Separator')}
        options={CSV_SEPARATORS}
        names={SEPARATORS}
        value={form.separator}
        onChange={(separator) => onChange({ ...form, separator })}
      />
      <Choice
        label={t('Durations')}
        options={CSV_DURATIONS}
        names={{
          clock: '1:30:00', // not translated: an example
          hours: t('{example} hours', { example: hours }),
          seconds: t('{example} seconds', { example: '5400' }),
        }}
        value={form.duration}
        onChange={(duration) => onChange({ ...form, duration })}
      />
      {form.duration === 'hours' && (
        <Choice
          label={t('Decimal sign')}
          options={CSV_DECIMALS}
          names={DECIMALS}
          value={form.decimal}
          onChange={(decimal) => onChange({ ...form, decimal })}
        />
      )}
    </>
  )
}

function Choice<Option extends string>({
  label,
  options,
  names,
  value,
  onChange,
}: {
  label: string
  options: readonly Option[]
  names: Readonly<Record<Option, string>>
  value: Option
  onChange: (option: Option) => void
}) {
  const id = useId()
  return (
    <LabelledRow label={label} controlId={id}>
      <Select
        id={id}
        className="w-40 md:w-60"
        value={value}
        onChange={(event) => {
          const picked = options.find((option) => option === event.target.value)
          if (picked) onChange(picked)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {names[option]}
          </option>
        ))}
      </Select>
    </LabelledRow>
  )
}
