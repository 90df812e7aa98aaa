import { t } from '@stint/core/text.ts'
import type { RecognisedImport } from '@stint/core/transfer/entry-import.ts'
import type { DateOrder } from '@stint/core/transfer/import-dates.ts'
import { CATEGORY_SOURCES } from '@stint/core/transfer/import-table.ts'
import type { CategorySource } from '@stint/core/transfer/import-table.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { SelectField } from '#ui/select-field.tsx'
import type { ImportChoices } from './import-messages.ts'

const ORDERS: readonly { readonly order: DateOrder; readonly label: string }[] = [
  { order: 'ymd', label: t('Year, month, day') },
  { order: 'dmy', label: t('Day, month, year') },
  { order: 'mdy', label: t('Month, day, year') },
]

/** How the file is read: its type, its time zone, the order of its dates, and what becomes the category. */
export function ImportOptionFields({
  recognised,
  choices,
  plan,
  onChange,
}: {
  recognised: RecognisedImport
  choices: ImportChoices
  plan: ImportPlan | null
  onChange: (choices: Partial<ImportChoices>) => void
}) {
  const ownZone = useDayRule().timeZone
  const { format, timeZone, dateOrder, categoryFrom = 'project' } = choices
  const sources = plan?.categorySources ?? []
  const isTable = recognised.firstRows.length > 0
  const knowsOffsets = format === 'stint-json' || format === 'stint-csv'
  return (
    <div className="grid gap-3 md:grid-cols-3">
      <SelectField
        label={t('File type')}
        value={format}
        disabled={!isTable}
        onChange={(event) =>
          onChange({ format: event.target.value === 'columns' ? 'columns' : recognised.format })
        }
      >
        <option value={recognised.format}>{recognised.label}</option>
        {isTable && recognised.format !== 'columns' && (
          <option value="columns">{t('Other table')}</option>
        )}
      </SelectField>
      {!knowsOffsets && (
        <SelectField
          label={t('Time zone')}
          value={timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
        >
          {zonesWith(ownZone).map((each) => (
            <option key={each} value={each}>
              {each.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      )}
      {(dateOrder !== undefined || plan?.isDateOrderAmbiguous === true) && (
        <SelectField
          label={t('Date format')}
          value={dateOrder ?? plan?.dateOrder ?? 'ymd'}
          onChange={(event) => {
            const picked = ORDERS.find(({ order }) => order === event.target.value)
            if (picked) onChange({ dateOrder: picked.order })
          }}
        >
          {ORDERS.map(({ order, label }) => (
            <option key={order} value={order}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      {sources.length > 0 && (
        <SelectField
          label={t('Category of tasks')}
          value={sources.find((each) => each === categoryFrom) ?? 'none'}
          onChange={(event) => {
            const picked = CATEGORY_SOURCES.find((source) => source === event.target.value)
            if (picked) onChange({ categoryFrom: picked })
          }}
        >
          {[...sources, 'none' as const].map((source) => (
            <option key={source} value={source}>
              {SOURCE_NAMES[source]}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  )
}

const SOURCE_NAMES: Readonly<Record<CategorySource, string>> = {
  project: t('The project, if it has tasks'),
  client: t('The client'),
  none: t('category|None'),
}

function zonesWith(own: string): string[] {
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
}
