import { useId } from 'react'
import type { ComponentProps } from 'react'
import { describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import { Select } from './select.tsx'

/** A native select with its label, hint and error. */
export function SelectField({
  label,
  hint,
  error,
  ...props
}: Omit<ComponentProps<typeof Select>, 'id'> & FieldTexts) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Select {...props} {...describedBy(id, { hint, error })} id={id} />
    </Field>
  )
}
