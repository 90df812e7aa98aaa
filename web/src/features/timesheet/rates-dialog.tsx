import { X } from 'lucide-react'
import { useState } from 'react'
import { categoriesOf, categoryKey } from '@stint/core/record/category.ts'
import { activeTasks } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { localDate } from '@stint/core/time/calendar.ts'
import { MAX_RATES } from '@stint/core/timesheet/rates.ts'
import type { Rate, RateTarget } from '@stint/core/timesheet/rates.ts'
import { rateMeaning, readRate } from '@stint/core/timesheet/rate-text.ts'
import { isDayFirst } from '#hooks/day-order.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form } from '#ui/form.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { usePricing, usePricingCommands } from './use-pricing.ts'

/** The rates of tasks and categories, and which categories are billable. */
export function RatesDialog({ onClose }: { onClose: () => void }) {
  const { allTasks } = useTasks()
  const { rates, unbilled } = usePricing()
  const { remove, setBillable } = usePricingCommands()
  const tasks = activeTasks(allTasks)
  const categories = categoriesOf(tasks).map(({ name }) => name)
  return (
    <Dialog open wide title={t('Rates')} onClose={onClose}>
      <NewRate tasks={tasks} categories={categories} rates={rates} />
      {rates.length > 0 && (
        <ul aria-label={t('Rates')} className="divide-y divide-line">
          {rates.map((rate) => {
            const name = targetName(rate.target, allTasks)
            return (
              <li
                key={`${rate.target.kind} ${rate.target.name} ${rate.from}`}
                className="flex items-center gap-3 py-1"
              >
                <span className="flex min-w-0 flex-1 flex-col gap-x-3 md:flex-row md:justify-between">
                  <span dir="auto" className="font-semibold text-ink wrap-anywhere">
                    {name}
                  </span>
                  <span className="figures text-sm">{rateMeaning(rate)}</span>
                </span>
                <IconButton
                  icon={X}
                  label={t('Remove the rate of {name}', { name })}
                  onClick={() => void remove(rate)}
                />
              </li>
            )
          })}
        </ul>
      )}
      {categories.length > 0 && (
        <fieldset>
          <legend className="text-sm font-semibold text-ink">{t('Billable categories')}</legend>
          <div className="flex flex-wrap gap-x-5">
            {categories.map((category) => (
              <Checkbox
                key={category}
                label={category}
                checked={!unbilled.has(categoryKey(category))}
                onChange={({ target }) => void setBillable(category, target.checked)}
              />
            ))}
          </div>
          <p className="text-sm">{t('A session can say otherwise in its editor.')}</p>
        </fieldset>
      )}
    </Dialog>
  )
}

/** The form of a new rate, which says how it understands what is typed. */
function NewRate({
  tasks,
  categories,
  rates,
}: {
  tasks: readonly Task[]
  categories: readonly string[]
  rates: readonly Rate[]
}) {
  const { now } = useRecordCommands()
  const { save } = usePricingCommands()
  const dayRule = useDayRule()
  const { weekStart } = useSettings()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const today = localDate(now(), dayRule)
  const read = readRate(text, { today, weekStart, isDayFirst: isDayFirst() })
  const targets: RateTarget[] = [
    ...categories.map((name) => ({ kind: 'category' as const, name })),
    ...tasks.map(({ id }) => ({ kind: 'task' as const, name: id })),
  ]
  const target = targets.find((each) => valueOf(each) === chosen) ?? targets[0]

  async function send() {
    if (!target) return setProblem(t('Create a task first.'))
    if (read.kind === 'problem') return setProblem(read.message)
    if (rates.length >= MAX_RATES)
      return setProblem(t('You can keep {max} rates. Remove one first.', { max: MAX_RATES }))
    if (await save({ target, from: read.from, money: read.money })) setText('')
  }

  return (
    <Form noValidate onSend={send} className="flex flex-col gap-3 md:flex-row md:items-start">
      <div className="md:w-52">
        <SelectField
          label={t('Rate for')}
          value={target ? valueOf(target) : ''}
          onChange={(event) => setChosen(event.target.value)}
        >
          {targets.map((each) => (
            <option key={valueOf(each)} value={valueOf(each)}>
              {each.kind === 'category'
                ? t('Category {name}', { name: each.name })
                : targetName(each, tasks)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="min-w-0 flex-1">
        <TextField
          label={t('field|Rate')}
          data-autofocus=""
          autoComplete="off"
          spellCheck={false}
          placeholder={t('95 EUR/h since 1 March')}
          value={text}
          hint={read.kind === 'rate' ? rateMeaning(read) : undefined}
          error={problem}
          onChange={({ target: field }) => {
            setText(field.value)
            setProblem(null)
          }}
        />
      </div>
      <Button type="submit" variant="primary" className="md:mt-6.5">
        {t('Add rate')}
      </Button>
    </Form>
  )
}

function valueOf({ kind, name }: RateTarget): string {
  return `${kind}:${name}`
}

function targetName({ kind, name }: RateTarget, tasks: readonly Task[]): string {
  if (kind === 'category') return name
  return tasks.find(({ id }) => id === name)?.name ?? t('Unknown task')
}
