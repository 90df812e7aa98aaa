import { t } from '@stint/core/text.ts'
import type { ColumnMapping } from '@stint/core/transfer/import-headings.ts'
import type { DurationUnit } from '@stint/core/transfer/import-durations.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Scroller } from '#ui/scroller.tsx'
import { SelectField } from '#ui/select-field.tsx'

const FIELDS = [
  { field: 'project', label: t('Project') },
  { field: 'task', label: t('Task') },
  { field: 'note', label: t('Note') },
  { field: 'tags', label: t('Tags') },
  { field: 'client', label: t('Client') },
  { field: 'category', label: t('Category') },
  { field: 'date', label: t('Day') },
  { field: 'start', label: t('field|Start') },
  { field: 'endDate', label: t('End date') },
  { field: 'end', label: t('field|End') },
  { field: 'duration', label: t('Duration') },
  { field: 'zone', label: t('Zone') },
  { field: 'pause', label: t('Break') },
  { field: 'secondPause', label: t('Second break') },
  { field: 'pauseStart', label: t('Break from') },
  { field: 'pauseEnd', label: t('Break to') },
] as const

const UNITS = [
  { unit: 'hours', label: t('unit|hours') },
  { unit: 'minutes', label: t('unit|minutes') },
  { unit: 'seconds', label: t('unit|seconds') },
] as const

/** Assigns the columns of a file to fields, with a preview of its first rows. */
export function ColumnMappingForm({
  rows,
  mapping,
  unit,
  onChange,
}: {
  rows: readonly (readonly string[])[]
  mapping: ColumnMapping
  /** The unit in which plain numbers are read. */
  unit: DurationUnit
  onChange: (mapping: ColumnMapping) => void
}) {
  const width = Math.max(...rows.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, index) => nameOfColumn(index, rows, mapping))
  const fields = FIELDS.filter(({ field }) => {
    if (field === 'pauseStart' || field === 'pauseEnd') return mapping.pauseStart !== null
    return field !== 'secondPause' || mapping.pause !== null || mapping.secondPause !== null
  })
  const samples = mapping.hasHeadings ? rows.slice(1) : rows
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="pb-2 text-sm font-semibold">{t('Match columns')}</legend>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {fields.map(({ field, label }) => (
          <SelectField
            key={field}
            label={label}
            value={mapping[field] ?? ''}
            onChange={(event) => {
              const { value } = event.target
              onChange({ ...mapping, [field]: value === '' ? null : Number(value) })
            }}
          >
            <option value="">–</option>
            {columns.map((name, index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
        <Checkbox
          label={t('First row contains column names')}
          checked={mapping.hasHeadings}
          onChange={(event) => onChange({ ...mapping, hasHeadings: event.target.checked })}
        />
        {mapping.duration !== null && (
          <div className="w-44">
            <SelectField
              label={t('Unit of plain numbers')}
              value={mapping.durationUnit ?? unit}
              onChange={(event) => {
                const picked = UNITS.find(({ unit: each }) => each === event.target.value)
                if (picked) onChange({ ...mapping, durationUnit: picked.unit })
              }}
            >
              {UNITS.map(({ unit: each, label }) => (
                <option key={each} value={each}>
                  {label}
                </option>
              ))}
            </SelectField>
          </div>
        )}
      </div>
      <Scroller
        label={t('First rows of the file')}
        className="overflow-x-auto rounded-panel border border-line bg-surface"
      >
        <table className="w-full text-sm">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col" className={`${CELL} font-normal text-quiet`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {samples.map((row, index) => (
              <tr key={index} className="border-t border-line">
                {columns.map((name, column) => (
                  <td key={name} className={`${CELL} max-w-56 truncate`}>
                    {row[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </fieldset>
  )
}

const CELL = 'px-3 py-1.5 text-start whitespace-nowrap'

/** Returns a unique name of the column, such as 'Start' or 'Column 3'. */
function nameOfColumn(
  index: number,
  rows: readonly (readonly string[])[],
  { hasHeadings }: ColumnMapping,
): string {
  const headings = hasHeadings ? rows[0] : undefined
  const name = headings?.[index]?.trim() ?? ''
  const number = index + 1
  if (name === '') return t('Column {number}', { number })
  const isOnlyOne = headings?.filter((each) => each.trim() === name).length === 1
  return isOnlyOne ? name : t('{name} (column {number})', { name, number })
}
