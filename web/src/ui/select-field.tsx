import { useId } from 'react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'

/** One of many, by the platform's own list. */
export function SelectField({
  label,
  hint,
  error,
  className,
  ...props
}: ComponentProps<'select'> & FieldTexts) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <select
        {...props}
        {...describedBy(id, { hint, error })}
        id={id}
        className={classNames(CONTROL_CLASSES, 'w-full min-w-0', className)}
      />
    </Field>
  )
}
