import { useId } from 'react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'

/** A single-line text field with its label, hint and error. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...props
}: ComponentProps<'input'> & FieldTexts) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        type="text"
        {...props}
        {...describedBy(id, { hint, error })}
        id={id}
        dir="auto"
        className={classNames(CONTROL_CLASSES, 'w-full', className)}
      />
    </Field>
  )
}
