import { Check, X } from 'lucide-react'
import { useState } from 'react'
import {
  MIN_PASSWORD_STRENGTH,
  passwordStrength,
  passwordStrengthLabel,
} from '@stint/core/password.ts'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { StrengthMeter } from '#ui/strength-meter.tsx'

/** One point for each rule of `passwordStrength`. */
const MAX_STRENGTH = 5

/** The fields of a new password and its confirmation, with a strength meter. */
export function NewPassword({
  password,
  confirmPassword,
  onPassword,
  onConfirmPassword,
}: {
  password: string
  confirmPassword: string
  onPassword: (password: string) => void
  onConfirmPassword: (password: string) => void
}) {
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <PasswordField
        label={t('Password')}
        onShown={setIsShown}
        name="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => onPassword(event.target.value)}
        hint={
          <StrengthMeter
            label={t('Password strength')}
            score={passwordStrength(password)}
            max={MAX_STRENGTH}
            minEnough={MIN_PASSWORD_STRENGTH}
            word={passwordStrengthLabel(password)}
            hint={t('At least 8 characters')}
          />
        }
      />
      <PasswordField
        label={t('Confirm Password')}
        shown={isShown}
        name="confirmPassword"
        autoComplete="new-password"
        required
        value={confirmPassword}
        onChange={(event) => onConfirmPassword(event.target.value)}
        hint={
          <PasswordsMatch match={password === confirmPassword} shown={confirmPassword !== ''} />
        }
      />
    </>
  )
}

function PasswordsMatch({ match, shown }: { match: boolean; shown: boolean }) {
  return (
    <output
      className={`flex min-h-5 items-center gap-1.5 ${match ? 'text-accent' : 'text-danger'}`}
    >
      {shown && (
        <>
          <Icon of={match ? Check : X} />
          {match ? t('Passwords match') : t('Passwords do not match')}
        </>
      )}
    </output>
  )
}
