import { MAX_CONTAINS } from '@stint/core/traces/rules.ts'
import type { TraceRule } from '@stint/core/traces/rules.ts'
import { t } from '@stint/core/text.ts'
import { useState } from 'react'

import { useTaskChoices } from '#hooks/use-task-choices.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import type { Choice } from '#ui/choice-field.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { TextField } from '#ui/text-field.tsx'

const NEVER: Choice = { id: 'never', label: t('Never suggest it'), tintName: undefined }

/** Changes which text a rule looks for, and which task it means. */
export function RuleDialog({
  rule,
  onSave,
  onClose,
}: {
  rule: TraceRule
  onSave: (rule: TraceRule) => void
  onClose: () => void
}) {
  const { choices, find } = useTaskChoices(rule.task, null)
  const [contains, setContains] = useState(rule.contains)
  const [chosen, setChosen] = useState<Choice | null>(
    rule.task === null ? NEVER : (choices.find(({ id }) => id === rule.task) ?? null),
  )
  // A new task is created where there is something of it: in a suggestion.
  const known = new Set(choices.map(({ id }) => id))
  return (
    <Dialog open title={t('Edit rule')} onClose={onClose}>
      <Form
        className="flex flex-col gap-4 text-ink"
        onSend={async () => {
          if (!chosen) return
          const task = chosen.id === NEVER.id ? null : chosen.id
          onSave({ ...rule, contains: contains.trim(), task })
        }}
      >
        <TextField
          label={t('Text in its title or place')}
          value={contains}
          maxLength={MAX_CONTAINS}
          onChange={({ target }) => setContains(target.value)}
        />
        <ChoiceField
          label={t('Task')}
          placeholder={t('Pick a task')}
          chosen={chosen}
          find={(text) => [...find(text).filter(({ id }) => known.has(id)), NEVER]}
          onChoose={setChosen}
        />
        <FormActions>
          <Button type="submit" variant="primary" disabled={!chosen || contains.trim() === ''}>
            {t('Save')}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
