import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import type { ComponentProps } from 'react'
import { t } from '@stint/core/text.ts'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES, describedBy, Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import { IconButton } from './icon-button.tsx'

/**
 * A password field with a button that shows or hides the password. The button is a stop of the Tab key only
 * while there is something to see; without any stop nobody could reach it by keyboard (WCAG 2.1.1). With
 * `shown` another field has the button.
 */
export function PasswordField({
  label,
  hint,
  error,
  className,
  shown: shownElsewhere,
  onShown,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> &
  FieldTexts & { shown?: boolean; onShown?: (shown: boolean) => void }) {
  const id = useId()
  const [shownHere, setShown] = useState(false)
  const shown = shownElsewhere ?? shownHere
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
          className={classNames(
            CONTROL_CLASSES,
            'w-full',
            shownElsewhere === undefined && 'pe-12',
            className,
          )}
        />
        {shownElsewhere === undefined && (
          <IconButton
            icon={shown ? EyeOff : Eye}
            label={shown ? t('Hide password') : t('Show password')}
            tabIndex={props.value === '' ? -1 : 0}
            onClick={() => {
              setShown(!shown)
              onShown?.(!shown)
            }}
            className="absolute top-0 end-0 md:top-1 md:end-1"
          />
        )}
      </span>
    </Field>
  )
}
