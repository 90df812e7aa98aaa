import { normalizedEmail } from '@stint/core/email-address.ts'
import {
  MIN_PASSWORD_STRENGTH,
  passwordStrength,
  passwordStrengthLabel,
} from '@stint/core/password.ts'
import { t } from '@stint/core/text.ts'
import { useId, useRef, useState } from 'react'
import { Badge } from '#ui/badge.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { CONTROL_CLASSES } from '#ui/field.tsx'
import { Form } from '#ui/form.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { StrengthMeter } from '#ui/strength-meter.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast.tsx'
import { offersPasskeys } from '#hooks/offers-passkeys.ts'
import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { usePasswordCheck } from '#hooks/use-password-check.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'
import { messageOf, useAccountCommands, useAccountDetails, usePasskeys } from './use-account.ts'
import type { AccountDetails, OwnPasskeys, ServerValue } from './use-account.ts'
import { DeletionRow } from './account-deletion.tsx'
import { DialogForm } from './dialog-form.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Section } from './section.tsx'
import { later } from '#ui/later.tsx'

const SecondFactor = later(async () => (await import('./second-factor.tsx')).SecondFactor)

const Passkeys = later(async () => (await import('./passkeys.tsx')).Passkeys)

/** The name, the email address, the password, and the deletion of the account. */
export function Account({ id }: { id: string }) {
  const { value: details, error, reload, set } = useAccountDetails()
  const isOwnServer = useIsOwnServer()
  return (
    <Section id={id} title={t('Account')}>
      {details === null && error === null && (
        <LabelledRow label={<Skeleton className="h-5 w-40" />}>
          <span className="sr-only">{t('Loading your account')}</span>
        </LabelledRow>
      )}
      {details === null && error !== null && (
        <div className="py-2">
          <Banner onRetry={() => void reload()}>
            {t('Couldn’t load your account. {reason}', { reason: error })}
          </Banner>
        </div>
      )}
      {details !== null && (
        <>
          <NameRow details={details} onChanged={set} />
          <EmailRow details={details} onChanged={set} />
          {isOwnServer === true ? (
            <WaysIn key={details.email} details={details} />
          ) : (
            <PasswordRow details={details} own={null} />
          )}
        </>
      )}
      <DeletionRow />
    </Section>
  )
}

/** The password with its code, and the passkeys. */
function WaysIn({ details }: { details: AccountDetails }) {
  const own = usePasskeys()
  const canAdd = offersPasskeys(useServerInfo())
  return (
    <>
      <PasswordRow details={details} own={own} />
      {own.value?.hasPassword === true && <SecondFactor />}
      <Passkeys own={own} canAdd={canAdd} />
    </>
  )
}

interface RowProps {
  details: AccountDetails
  onChanged: (details: AccountDetails) => void
}

/** Saves the name on blur or Enter. Escape restores the saved name. */
function NameRow({ details, onChanged }: RowProps) {
  const id = useId()
  const { changeName } = useAccountCommands()
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const sending = useRef<string | null>(null)

  async function save() {
    const name = typed?.trim() ?? ''
    // The blur after Enter must not send the name a second time.
    if (typed === null || name === sending.current) return
    if (name === details.name) return setTyped(null)
    if (name === '') return setError(t('Enter a name.'))
    sending.current = name
    try {
      onChanged(await changeName(name))
      setTyped(null)
      setError(null)
      showToast({ text: t('Name saved') })
    } catch (cause) {
      setError(messageOf(cause))
    } finally {
      sending.current = null
    }
  }

  return (
    <LabelledRow
      label={t('Name')}
      hint={
        error === null ? undefined : (
          <span className="text-danger" role="alert">
            {error}
          </span>
        )
      }
      controlId={id}
      wide
    >
      <Form onSend={save} className="grow">
        <input
          id={id}
          dir="auto"
          maxLength={128}
          autoComplete="name"
          aria-invalid={error === null ? undefined : true}
          aria-describedby={error === null ? undefined : `${id}-hint`}
          value={typed ?? details.name}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => void save()}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            setTyped(null)
            setError(null)
          }}
          className={`${CONTROL_CLASSES} w-full md:w-60 md:text-sm`}
        />
      </Form>
    </LabelledRow>
  )
}

function EmailRow({ details, onChanged }: RowProps) {
  const { sendVerification } = useAccountCommands()
  // Null on a real Appwrite, which has no keys, and while it is being asked.
  const info = useServerInfo()
  const canMail = info?.recovery === true
  const [changing, setChanging] = useState(false)
  const [sending, setSending] = useState(false)
  const [sent, setSent] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { email, emailVerified } = details

  async function send() {
    setError(null)
    setSending(true)
    try {
      await sendVerification()
      setSent(true)
    } catch (cause) {
      setError(messageOf(cause))
    } finally {
      setSending(false)
    }
  }

  return (
    <LabelledRow
      label={
        <span className="flex flex-wrap items-center gap-2">
          {t('Email')}
          {(emailVerified || canMail) && (
            <Badge tone="plain">{emailVerified ? t('Verified') : t('Not verified')}</Badge>
          )}
        </span>
      }
      hint={
        <>
          <span className="break-all">{email}</span>
          {sent && !emailVerified && (
            <output className="block">{t('Link sent. It expires in one hour.')}</output>
          )}
          {error !== null && (
            <span role="alert" className="block text-danger">
              {error}
            </span>
          )}
        </>
      }
    >
      {!emailVerified && canMail && !sent && (
        <Button busy={sending} onClick={() => void send()}>
          {t('Send link')}
        </Button>
      )}
      <Button aria-label={t('Change email')} onClick={() => setChanging(true)}>
        {t('Change')}
      </Button>
      <Dialog open={changing} title={t('Change your email')} onClose={() => setChanging(false)}>
        <EmailForm
          current={email}
          isOwnServer={info !== null}
          onClose={() => setChanging(false)}
          onChanged={(next) => {
            onChanged(next)
            setSent(false)
          }}
        />
      </Dialog>
    </LabelledRow>
  )
}

function EmailForm({
  current,
  isOwnServer,
  onClose,
  onChanged,
}: {
  current: string
  isOwnServer: boolean
  onClose: () => void
  onChanged: (details: AccountDetails) => void
}) {
  const { changeEmail } = useAccountCommands()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  return (
    <DialogForm
      submit={t('Change email')}
      onClose={onClose}
      onSend={async () => {
        const address = email.trim()
        if (normalizedEmail(address) === normalizedEmail(current)) {
          throw new Error(t('That’s already your address.'))
        }
        onChanged(await changeEmail({ email: address, password }))
        showToast({ text: t('Email changed') })
      }}
    >
      {isOwnServer && (
        <p>
          {t(
            'This ends your passkeys, your keys and their webhooks, your calendar address, proposed changes, and the sign-in by another service.',
          )}
        </p>
      )}
      <TextField
        type="email"
        label={t('New email')}
        data-autofocus=""
        autoComplete="email"
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

function PasswordRow({
  details,
  own,
}: {
  details: AccountDetails
  /** Null on a server that has no passkeys. */
  own: ServerValue<OwnPasskeys> | null
}) {
  const [dialog, setDialog] = useState<'change' | 'set' | null>(null)
  // A provider's account has neither, and sets a password by mail.
  const canSet = own?.value?.hasPassword === false && own.value.passkeys.length > 0
  const close = () => setDialog(null)
  return (
    <LabelledRow
      label={t('Password')}
      hint={
        canSet
          ? t('Your account has none. With one you can also sign in where your passkeys are not.')
          : t('Changing it signs out your other devices.')
      }
    >
      <Button
        aria-label={canSet ? t('Set password') : t('Change password')}
        onClick={() => setDialog(canSet ? 'set' : 'change')}
      >
        {canSet ? t('Set') : t('Change')}
      </Button>
      <Dialog open={dialog === 'change'} title={t('Change your password')} onClose={close}>
        <PasswordForm details={details} onClose={close} />
      </Dialog>
      <Dialog open={dialog === 'set'} title={t('Set a password')} onClose={close}>
        <FirstPasswordForm details={details} onSet={() => void own?.reload()} onClose={close} />
      </Dialog>
    </LabelledRow>
  )
}

/** Sets the password of an account that has none. A passkey confirms it. */
function FirstPasswordForm({
  details,
  onSet,
  onClose,
}: {
  details: AccountDetails
  onSet: () => void
  onClose: () => void
}) {
  const { setPassword: save } = useAccountCommands()
  const [password, setPassword] = useState('')
  const refusal = usePasswordCheck(password)
  return (
    <DialogForm
      submit={t('Set password')}
      disabled={isWeak(password)}
      onClose={onClose}
      onSend={async () => {
        const reason = refusal(password, details)
        if (reason !== null) throw new Error(reason)
        await save(password)
        showToast({ text: t('Password set. Your other devices are signed out.') })
        onSet()
      }}
    >
      <input type="email" autoComplete="username" value={details.email} readOnly hidden />
      <p>{t('You will be asked for one of your passkeys.')}</p>
      <NewPasswordField password={password} autoFocused onPassword={setPassword} />
    </DialogForm>
  )
}

function isWeak(password: string): boolean {
  return passwordStrength(password) < MIN_PASSWORD_STRENGTH || password.length < 8
}

function NewPasswordField({
  password,
  autoFocused = false,
  onPassword,
}: {
  password: string
  autoFocused?: boolean
  onPassword: (password: string) => void
}) {
  return (
    <PasswordField
      label={t('New password')}
      {...(autoFocused ? { 'data-autofocus': '' } : {})}
      autoComplete="new-password"
      required
      value={password}
      onChange={(event) => onPassword(event.target.value)}
      hint={
        <StrengthMeter
          label={t('Password strength')}
          score={passwordStrength(password)}
          max={5}
          minEnough={MIN_PASSWORD_STRENGTH}
          word={passwordStrengthLabel(password)}
          hint={t('At least 8 characters')}
        />
      }
    />
  )
}

function PasswordForm({ details, onClose }: { details: AccountDetails; onClose: () => void }) {
  const { changePassword } = useAccountCommands()
  const [oldPassword, setOldPassword] = useState('')
  const [password, setPassword] = useState('')
  const refusal = usePasswordCheck(password)
  return (
    <DialogForm
      submit={t('Change password')}
      disabled={isWeak(password)}
      onClose={onClose}
      onSend={async () => {
        const reason = refusal(password, details)
        if (reason !== null) throw new Error(reason)
        await changePassword({ oldPassword, password })
        showToast({ text: t('Password changed. Your other devices are signed out.') })
      }}
    >
      {/* Password managers store the new password under this address. */}
      <input type="email" autoComplete="username" value={details.email} readOnly hidden />
      <PasswordField
        label={t('Current password')}
        data-autofocus=""
        autoComplete="current-password"
        required
        value={oldPassword}
        onChange={(event) => setOldPassword(event.target.value)}
      />
      <NewPasswordField password={password} onPassword={setPassword} />
    </DialogForm>
  )
}
