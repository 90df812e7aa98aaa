import { useId } from 'react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'

/** A multi-line text field with its label, hint and error. */
export function TextArea({
  label,
  hint,
  error,
  className,
  ...props
}: ComponentProps<'textarea'> & FieldTexts) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        {...props}
        {...describedBy(id, { hint, error })}
        id={id}
        dir="auto"
        className={classNames(CONTROL_CLASSES, 'h-auto w-full py-2 md:h-auto', className)}
      />
    </Field>
  )
}
