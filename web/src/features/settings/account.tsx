import {
  MIN_PASSWORD_STRENGTH,
  passwordStrength,
  passwordStrengthLabel,
} from '@stint/core/password.ts'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
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
import { useServerInfo } from '#features/auth/api.ts'
import { useAccountCommands, useAccountDetails } from './account-api.ts'
import type { AccountDetails } from './account-api.ts'
import { Row, Section } from './section.tsx'

/** Who one is: name, address, password. */
export function Account({ id }: { id: string }) {
  const { value: details, error, ask, set } = useAccountDetails()
  return (
    <Section id={id} title="Account">
      {details === null && error === null && (
        <Row label={<Skeleton className="h-5 w-40" />}>
          <span className="sr-only">Loading your account</span>
        </Row>
      )}
      {details === null && error !== null && (
        <Row label="Your account cannot be shown now." hint={error}>
          <Button onClick={() => void ask()}>Try Again</Button>
        </Row>
      )}
      {details !== null && (
        <>
          <NameRow details={details} onChanged={set} />
          <EmailRow details={details} onChanged={set} />
          <PasswordRow email={details.email} />
        </>
      )}
    </Section>
  )
}

interface RowProps {
  details: AccountDetails
  onChanged: (details: AccountDetails) => void
}

/** Saved when it is left, or with Enter; Escape takes back what was typed. */
function NameRow({ details, onChanged }: RowProps) {
  const id = useId()
  const { changeName } = useAccountCommands()
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)

  async function save() {
    const name = typed?.trim() ?? ''
    if (typed === null) return
    if (name === details.name) return setTyped(null)
    if (name === '') return setError('A name is needed.')
    try {
      onChanged(await changeName(name))
      setTyped(null)
      setError(null)
      showToast({ text: 'Name saved' })
    } catch (cause) {
      setError(messageOf(cause))
    }
  }

  return (
    <Row
      label="Name"
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
      <Form onSend={save} className="contents">
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
          className={`${CONTROL_CLASSES} md:w-60 md:text-sm`}
        />
      </Form>
    </Row>
  )
}

function EmailRow({ details, onChanged }: RowProps) {
  const { sendVerification } = useAccountCommands()
  const canMail = useServerInfo()?.recovery === true
  const [changing, setChanging] = useState(false)
  const [sent, setSent] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { email, emailVerified } = details

  async function send() {
    setError(null)
    try {
      await sendVerification()
      setSent(true)
    } catch (cause) {
      setError(messageOf(cause))
    }
  }

  return (
    <Row
      label={
        <span className="flex flex-wrap items-center gap-2">
          E-mail
          {(emailVerified || canMail) && (
            <Badge tone="plain">{emailVerified ? 'Verified' : 'Not verified'}</Badge>
          )}
        </span>
      }
      hint={
        <>
          <span className="break-all">{email}</span>
          {sent && <output className="block">A link is on its way. It works for an hour.</output>}
          {error !== null && (
            <span role="alert" className="block text-danger">
              {error}
            </span>
          )}
        </>
      }
    >
      <span className="flex flex-wrap justify-end gap-2">
        {!emailVerified && canMail && !sent && (
          <Button onClick={() => void send()}>Send Link</Button>
        )}
        <Button aria-label="Change e-mail" onClick={() => setChanging(true)}>
          Change
        </Button>
      </span>
      <EmailDialog
        open={changing}
        onClose={() => setChanging(false)}
        onChanged={(next) => {
          onChanged(next)
          setSent(false)
        }}
      />
    </Row>
  )
}

function EmailDialog({
  open,
  onClose,
  onChanged,
}: {
  open: boolean
  onClose: () => void
  onChanged: (details: AccountDetails) => void
}) {
  const { changeEmail } = useAccountCommands()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  return (
    <AskingDialog
      open={open}
      title="Change your e-mail"
      submit="Change E-mail"
      onClose={onClose}
      onSend={async () => {
        onChanged(await changeEmail({ email: email.trim(), password }))
        setEmail('')
        setPassword('')
        showToast({ text: 'E-mail changed' })
      }}
    >
      <TextField
        type="email"
        label="New E-mail"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </AskingDialog>
  )
}

function PasswordRow({ email }: { email: string }) {
  const { changePassword } = useAccountCommands()
  const [changing, setChanging] = useState(false)
  const [oldPassword, setOldPassword] = useState('')
  const [password, setPassword] = useState('')
  const score = passwordStrength(password)
  const isWeak = score < MIN_PASSWORD_STRENGTH || password.length < 8
  return (
    <Row label="Password" hint="A new one signs your other devices out.">
      <Button aria-label="Change password" onClick={() => setChanging(true)}>
        Change
      </Button>
      <AskingDialog
        open={changing}
        title="Change your password"
        submit="Change Password"
        disabled={isWeak}
        onClose={() => setChanging(false)}
        onSend={async () => {
          await changePassword({ oldPassword, password })
          setOldPassword('')
          setPassword('')
          showToast({ text: 'Password changed. Your other devices are signed out.' })
        }}
      >
        {/* Password managers file the new password under it. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current Password"
          autoComplete="current-password"
          required
          value={oldPassword}
          onChange={(event) => setOldPassword(event.target.value)}
        />
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          hint={
            <div className="flex flex-col gap-1.5">
              <StrengthMeter
                label="Password strength"
                score={score}
                most={5}
                least={MIN_PASSWORD_STRENGTH}
                word={passwordStrengthLabel(password)}
              />
              At least 8 characters
            </div>
          }
        />
      </AskingDialog>
    </Row>
  )
}

/** A dialog with fields that is sent as a whole; what went wrong is said above them, and they stay. */
export function AskingDialog({
  open,
  title,
  submit,
  danger = false,
  disabled = false,
  onClose,
  onSend,
  children,
}: {
  open: boolean
  title: string
  submit: string
  danger?: boolean
  disabled?: boolean
  onClose: () => void
  /** Rejects with the text to show. */
  onSend: () => Promise<void>
  children: ReactNode
}) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)

  // The dialog itself gives the focus to its first button.
  useEffect(() => {
    if (open) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }, [open])

  function close() {
    setError(null)
    onClose()
  }

  async function send() {
    setBusy(true)
    setError(null)
    try {
      await onSend()
      close()
    } catch (cause) {
      setError(messageOf(cause))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog open={open} title={title} onClose={close}>
      {error !== null && <Banner>{error}</Banner>}
      <Form ref={form} onSend={send} aria-label={title} className="flex flex-col gap-4">
        {children}
        <div className="flex flex-col gap-2 md:flex-row-reverse md:justify-start">
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={disabled}
          >
            {submit}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
