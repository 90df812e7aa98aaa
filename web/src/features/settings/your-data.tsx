import { useState } from 'react'
import { Link } from 'react-router'
import { useAuth } from '#features/auth/api.ts'
import { useEntries } from '#features/entries/api.ts'
import { useTasks } from '#features/tasks/api.ts'
import { Button, buttonClasses } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useAccountCommands, useIsOwnServer } from './account-api.ts'
import { AskingDialog } from './account.tsx'
import { Row, Section } from './section.tsx'

/** Taking everything along, and leaving for good. */
export function YourData({ id }: { id: string }) {
  return (
    <Section id={id} title="Your data">
      <DownloadRow />
      <Row
        label="Export and import"
        hint="For spreadsheets, calendars and paper; from other time trackers; and what looks wrong."
      >
        <Link to="/data" className={buttonClasses()}>
          Open
        </Link>
      </Row>
      <DeletionRow />
    </Section>
  )
}

function DownloadRow() {
  const { entries, complete } = useEntries()
  const { allTasks } = useTasks()

  async function download() {
    const { exportJson } = await import('@stint/core/entry-export.ts')
    const now = Date.now()
    const text = exportJson({ entries, tasks: allTasks }, now)
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = `stint-${new Date(now).toISOString().slice(0, 10)}.json`
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }

  return (
    <Row
      label="Download everything"
      hint="All tasks and entries as one JSON file, which Stint can read again."
    >
      <Button disabled={!complete} onClick={() => void download()}>
        {complete ? 'Download' : 'Loading…'}
      </Button>
    </Row>
  )
}

/** Stint's own server deletes at once; on another backend whoever runs it is asked (spec 2: Privacy). */
function DeletionRow() {
  const isOwnServer = useIsOwnServer()
  const [asking, setAsking] = useState(false)
  const auth = useAuth()
  const address = auth.status === 'signed-in' ? auth.user.email : ''
  return (
    <Row
      label="Delete account"
      hint={
        isOwnServer === false
          ? 'Write to support to have your account and everything in it deleted.'
          : 'Your account, tasks and entries are gone for good, on every device.'
      }
    >
      {isOwnServer === false ? (
        <Link to="/privacy" className={buttonClasses()}>
          Contact Support
        </Link>
      ) : (
        <Button
          disabled={isOwnServer === null}
          onClick={() => setAsking(true)}
          className="enabled:text-danger"
        >
          Delete Account
        </Button>
      )}
      <DeletionDialog open={asking} address={address} onClose={() => setAsking(false)} />
    </Row>
  )
}

function DeletionDialog({
  open,
  address,
  onClose,
}: {
  open: boolean
  address: string
  onClose: () => void
}) {
  const { deleteAccount } = useAccountCommands()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const isTyped = email.trim().toLowerCase() === address.toLowerCase()
  return (
    <AskingDialog
      open={open}
      title="Delete your account?"
      submit="Delete for good"
      danger
      disabled={!isTyped || password === ''}
      onClose={() => {
        setEmail('')
        setPassword('')
        onClose()
      }}
      onSend={() => deleteAccount({ email: email.trim(), password })}
    >
      <p>
        Everything of yours is deleted at once and cannot be brought back: download it first if you
        may want it. To go on, type <b className="break-all text-ink">{address}</b>.
      </p>
      <TextField
        type="email"
        label="Your E-mail"
        autoComplete="off"
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
