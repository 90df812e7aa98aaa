import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import type { ComponentProps } from 'react'
import { t } from '@stint/core/text.ts'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import { IconButton } from './icon-button.tsx'

/** A password field with a button that shows or hides the password. */
export function PasswordField({
  label,
  hint,
  error,
  className,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & FieldTexts) {
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <span className="relative block">
        <input
          {...props}
          {...describedBy(id, { hint, error })}
          id={id}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={classNames(CONTROL_CLASSES, 'w-full pe-12', className)}
        />
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={shown ? t('Hide password') : t('Show password')}
          onClick={() => setShown(!shown)}
          className="absolute top-0 end-0 md:top-1 md:end-1"
        />
      </span>
    </Field>
  )
}
