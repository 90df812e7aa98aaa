import { useState } from 'react'
import { saveProblems } from '@stint/core/record/save-filter.ts'
import type { SaveProblems } from '@stint/core/record/save-filter.ts'
import type { SavedFilter } from '@stint/core/record/saved-filters.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { t } from '@stint/core/text.ts'
import { isDayFirst } from '#hooks/day-order.ts'
import { FilterField } from '#hooks/filter-field.tsx'
import { useNow } from '#hooks/use-now.ts'
import { useSavedFilters } from '#hooks/use-saved-filters.ts'
import { useDayRule, useSettings, useUnbilled } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form } from '#ui/form.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { TextField } from '#ui/text-field.tsx'

/** Saves a filter under a name, or renames, changes or removes a saved one. */
export function FilterDialog({
  instead,
  text: first,
  onSaved,
  onClose,
}: {
  /** The saved filter; null for a new one. */
  instead: SavedFilter | null
  text: string
  onSaved: (filter: SavedFilter) => void
  onClose: () => void
}) {
  const { filters, save, remove } = useSavedFilters()
  const [name, setName] = useState(instead?.name ?? '')
  const [text, setText] = useState(first)
  const [problems, setProblems] = useState<SaveProblems>(NONE)
  const now = useNow()
  const dayRule = useDayRule()
  const { weekStart, hourCycle } = useSettings()
  const unbilled = useUnbilled()
  const read = parseFilter(text, {
    now,
    dayRule,
    weekStart,
    hourCycle,
    isDayFirst: isDayFirst(),
    unbilled,
  })
  const meaning = read.parts.map((part) => part.meaning).join(', ')

  async function send() {
    const filter = { name: name.trim(), text: text.trim() }
    const found = saveProblems(filter, read, filters, instead)
    setProblems(found)
    if (found.name !== null || found.text !== null) return
    await save(filter, instead)
    onSaved(filter)
    onClose()
  }

  return (
    <Dialog open title={instead ? t('Edit filter') : t('Save filter')} onClose={onClose}>
      <Form noValidate onSend={send} className="flex flex-col gap-4">
        <TextField
          label={t('Name')}
          data-autofocus=""
          autoComplete="off"
          placeholder={t('Acme this quarter')}
          value={name}
          error={problems.name}
          onChange={({ target }) => {
            setName(target.value)
            setProblems({ ...problems, name: null })
          }}
        />
        <FilterField
          label={t('Filter')}
          value={text}
          hint={meaning === '' ? undefined : meaning}
          error={problems.text}
          onChange={({ target }) => {
            setText(target.value)
            setProblems({ ...problems, text: null })
          }}
        />
        <FormActions>
          <Button type="submit" variant="primary">
            {t('Save')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          {instead && (
            <Button
              variant="quiet"
              className="md:me-auto"
              onClick={() => {
                void remove(instead)
                onClose()
              }}
            >
              {t('Remove')}
            </Button>
          )}
        </FormActions>
      </Form>
    </Dialog>
  )
}

const NONE: SaveProblems = { name: null, text: null }
