import type { Task } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { useEffect, useRef } from 'react'

import { useTaskChoices } from '#hooks/use-task-choices.ts'
import { ChoiceField } from '#ui/choice-field.tsx'

/** A task that is to be created, the id of one, or null: such traces are never suggested. */
export type PickedTask = Task | string | null

const NEVER = 'never'

/** Asks once which task such traces belong to. The answer becomes a rule, unless it is for this once. Escape closes it. */
export function TaskChoice({
  what,
  isOnce,
  onPick,
  onClose,
}: {
  /** What the rule will look for: 'Standup'. */
  what: string
  isOnce: boolean
  onPick: (task: PickedTask) => void
  onClose: () => void
}) {
  const { find, createdBy } = useTaskChoices(null, null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  const neverText = t('Never suggest “{what}”', { what })
  const never = { id: NEVER, label: neverText, action: neverText, tintName: undefined }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the field in it
    <div
      ref={place}
      className="max-w-sm pt-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <ChoiceField
        label={t('Task for “{what}”', { what })}
        placeholder={t('Pick a task')}
        chosen={null}
        find={(text) => [...find(text), ...(isOnce ? [] : [never])]}
        onChoose={(choice) => onPick(choice.id === NEVER ? null : (createdBy(choice) ?? choice.id))}
      />
    </div>
  )
}
