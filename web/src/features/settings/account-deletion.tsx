import { useState } from 'react'
import { Link } from '#ui/navigation.tsx'
import { normalizedEmail } from '@stint/core/email-address.ts'
import { t } from '@stint/core/text.ts'
import { useAuth } from '#hooks/use-auth.ts'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { useAccountCommands } from './use-account.ts'
import { DialogForm } from './dialog-form.tsx'

/** Stint's own server deletes the account at once. On another backend, the operator must be asked. */
export function DeletionRow() {
  const isOwnServer = useIsOwnServer()
  const [isAsking, setIsAsking] = useState(false)
  const auth = useAuth()
  const address = auth.status === 'signed-in' ? auth.user.email : ''
  return (
    <LabelledRow
      label={t('Delete account')}
      hint={
        isOwnServer === false
          ? t('Contact support to delete your account and all of its data.')
          : t('Permanently deletes your account, tasks and sessions on every device.')
      }
    >
      {isOwnServer === false ? (
        <Link to="/privacy" className={buttonClasses()}>
          {t('Contact Support')}
        </Link>
      ) : (
        <Button
          disabled={isOwnServer === null}
          onClick={() => setIsAsking(true)}
          className="enabled:text-danger"
        >
          {t('Delete account')}
        </Button>
      )}
      <Dialog open={isAsking} title={t('Delete your account?')} onClose={() => setIsAsking(false)}>
        <DeletionForm address={address} onClose={() => setIsAsking(false)} />
      </Dialog>
    </LabelledRow>
  )
}

function DeletionForm({ address, onClose }: { address: string; onClose: () => void }) {
  const { deleteAccount } = useAccountCommands()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const isTyped = normalizedEmail(email) === normalizedEmail(address)
  return (
    <DialogForm
      submit={t('Delete permanently')}
      danger
      disabled={!isTyped || password === ''}
      onClose={onClose}
      onSend={() => deleteAccount({ email: email.trim(), password })}
    >
      <p>
        <RichText
          text={t(
            'This immediately and permanently deletes all your data. Download it first if you may need it. To confirm, type <address>{address}</address>.',
            { address },
          )}
          tags={{ address: (words) => <b className="break-all text-ink">{words}</b> }}
        />
      </p>
      <TextField
        type="email"
        label={t('Your email')}
        data-autofocus=""
        autoComplete="off"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label={t('Password')}
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </DialogForm>
  )
}
