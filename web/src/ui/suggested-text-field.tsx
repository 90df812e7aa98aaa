import { Autocomplete } from '@base-ui/react/autocomplete'
import { useId, useState } from 'react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CHOICE_CLASSES, ChoiceList } from './choice-list.tsx'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'

/**
 * A text field that suggests texts which contain what is typed. Any other text can be typed as well. With `offersAll`,
 * a press on it shows all of them.
 */
export function SuggestedTextField({
  label,
  hint,
  error,
  value,
  onChange,
  suggestions,
  offersAll = false,
  ...props
}: Omit<ComponentProps<'input'>, 'value' | 'onChange'> &
  FieldTexts & {
    value: string
    onChange: (text: string) => void
    suggestions: readonly string[]
    offersAll?: boolean
  }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  /** Whether the text was typed since the list was opened, which then has what contains it. */
  const [isTyped, setIsTyped] = useState(!offersAll)
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Autocomplete.Root
        items={suggestions}
        value={value}
        onValueChange={(text) => {
          setIsTyped(true)
          onChange(text)
        }}
        {...(!isTyped && { filter: null })}
        openOnInputClick={offersAll}
        open={isOpen}
        onOpenChange={(isOpen) => {
          setIsOpen(isOpen)
          if (!isOpen) setIsTyped(!offersAll)
        }}
      >
        <Autocomplete.Input
          {...props}
          {...describedBy(id, { hint, error })}
          id={id}
          dir="auto"
          className={classNames(CONTROL_CLASSES, 'w-full')}
        />
        <ChoiceList isOpen={isOpen} label={label}>
          {(text: string) => (
            // The library fills the field in only from a popup of its own, which `ChoiceList` does without.
            <Autocomplete.Item
              key={text}
              value={text}
              onClick={() => onChange(text)}
              className={CHOICE_CLASSES}
            >
              <span dir="auto" className="name min-w-0">
                {text}
              </span>
            </Autocomplete.Item>
          )}
        </ChoiceList>
      </Autocomplete.Root>
    </Field>
  )
}
