import { Combobox } from '@base-ui/react/combobox'
import { Check, ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { classNames } from './class-names.ts'
import { CHOICE_CLASSES, ChoiceList } from './choice-list.tsx'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import { Icon } from './icon.tsx'
import { Dot } from './row.tsx'

export interface Choice {
  readonly id: string
  readonly label: string
  readonly tintName: string | undefined
  /** What choosing it does, in place of its name: 'Create “Hiring”'. */
  readonly action?: string
  /** What tells it from others, at the end of its line. */
  readonly aside?: string | undefined
}

/**
 * A field that chooses one of many by typing a part of its name. The whole name of a choice chooses it
 * at once; any other text that is left gives way to the name of the choice.
 */
export function ChoiceField({
  label,
  hint,
  error,
  placeholder,
  chosen,
  find,
  onChoose,
}: FieldTexts & {
  placeholder: string
  chosen: Choice | null
  /** Returns the choices for a text, best first; all without a text. */
  find: (text: string) => readonly Choice[]
  onChoose: (choice: Choice) => void
}) {
  const id = useId()
  /** Null unless something is being typed. */
  const [text, setText] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const found = find(text ?? '')

  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Combobox.Root
        items={found}
        filteredItems={found}
        value={chosen}
        itemToStringLabel={({ label }) => label}
        isItemEqualToValue={(one, other) => one.id === other.id}
        inputValue={text ?? chosen?.label ?? ''}
        autoHighlight
        open={isOpen}
        onInputValueChange={(next, { reason }) => {
          if (reason !== 'input-change') return
          setText(next)
          const named = find(next).find(({ label, action }) => !action && label === next.trim())
          if (named) onChoose(named)
        }}
        onValueChange={(choice) => {
          if (!choice) return
          setText(null)
          onChoose(choice)
        }}
        onOpenChange={(isOpen) => {
          setIsOpen(isOpen)
          if (!isOpen) setText(null)
        }}
      >
        <div className="relative">
          <Combobox.Input
            {...describedBy(id, { hint, error })}
            id={id}
            dir="auto"
            placeholder={placeholder}
            spellCheck={false}
            onFocus={({ target }) => target.select()}
            className={classNames(CONTROL_CLASSES, 'w-full text-ellipsis pe-9')}
          />
          <Icon
            of={ChevronDown}
            className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-quiet"
          />
        </div>
        <ChoiceList isOpen={isOpen} label={label}>
          {(choice: Choice) => (
            <Combobox.Item key={choice.id} value={choice} className={CHOICE_CLASSES}>
              <Dot tintName={choice.tintName} />
              <span dir="auto" className="name min-w-0 flex-1">
                {choice.action ?? choice.label}
              </span>
              {choice.aside !== undefined && (
                <span dir="auto" className="name max-w-2/5 shrink-0 text-xs text-quiet">
                  {choice.aside}
                </span>
              )}
              <Combobox.ItemIndicator>
                <Icon of={Check} className="size-4 text-quiet" />
              </Combobox.ItemIndicator>
            </Combobox.Item>
          )}
        </ChoiceList>
      </Combobox.Root>
    </Field>
  )
}
