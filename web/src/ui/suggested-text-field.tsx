import { Autocomplete } from '@base-ui/react/autocomplete'
import { useId, useState } from 'react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CHOICE_CLASSES, ChoiceList } from './choice-list.tsx'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'

/** A text field that suggests texts which contain what is typed. Any other text can be typed as well. */
export function SuggestedTextField({
  label,
  hint,
  error,
  value,
  onChange,
  suggestions,
  ...props
}: Omit<ComponentProps<'input'>, 'value' | 'onChange'> &
  FieldTexts & {
    value: string
    onChange: (text: string) => void
    suggestions: readonly string[]
  }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Autocomplete.Root
        items={suggestions}
        value={value}
        onValueChange={onChange}
        open={isOpen}
        onOpenChange={setIsOpen}
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
            <Autocomplete.Item key={text} value={text} className={CHOICE_CLASSES}>
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
