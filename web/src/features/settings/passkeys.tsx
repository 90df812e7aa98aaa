import { Plus } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { useState } from 'react'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { keepFocusInList } from '#ui/keep-focus-in-list.ts'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast.tsx'
import { useAuth } from '#hooks/use-auth.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useNow } from '#hooks/use-now.ts'
import { deviceLabel, shownDevice } from '#session/device-label.ts'
import { DialogForm } from './dialog-form.tsx'
import { useAccountCommands } from './use-account.ts'
import type { OwnPasskey, OwnPasskeys, Proof, ServerValue } from './use-account.ts'

/** The passkeys of the account. Only Stint's own server has them. */
export function Passkeys({
  own,
  canAdd,
}: {
  own: ServerValue<OwnPasskeys>
  /** Whether the server and this browser can make one on this page. */
  canAdd: boolean
}) {
  const { value, error, reload } = own
  const [isAdding, setIsAdding] = useState(false)
  const passkeys = value?.passkeys ?? []
  if (!canAdd && passkeys.length === 0) return null
  return (
    <>
      <LabelledRow
        label={t('Passkeys')}
        hint={
          canAdd
            ? t('Sign in with your fingerprint, face, PIN or security key instead of a password.')
            : t('This browser can’t make passkeys for this address.')
        }
      >
        {canAdd && (
          <Button disabled={value === null} onClick={() => setIsAdding(true)}>
            <Icon of={Plus} />
            {t('Add passkey')}
          </Button>
        )}
        {isAdding && value !== null && (
          <Addition own={value} reload={reload} onClose={() => setIsAdding(false)} />
        )}
      </LabelledRow>
      {error !== null && (
        <div className="py-2">
          <Banner onRetry={() => void reload()}>
            {t('Couldn’t load your passkeys. {reason}', { reason: error })}
          </Banner>
        </div>
      )}
      {value !== null && passkeys.length > 0 && (
        <ul aria-label={t('Passkeys')} className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} own={value} reload={reload} />
          ))}
        </ul>
      )}
    </>
  )
}

function PasskeyRow({
  passkey: { id, name, createdAt, lastUsedAt },
  own,
  reload,
}: {
  passkey: OwnPasskey
  own: OwnPasskeys
  reload: () => Promise<void>
}) {
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null)
  const now = useNow()
  const dayRule = useDayRule()
  const added = t('Added: {day}', { day: sessionDay(createdAt, now, dayRule) })
  const used =
    lastUsedAt === null
      ? t('Never used')
      : t('Last used: {day}', { day: sessionDay(lastUsedAt, now, dayRule) })
  const close = () => setDialog(null)
  return (
    <li>
      <LabelledRow
        wide
        label={<span className="break-words">{name}</span>}
        hint={`${added} · ${used}`}
      >
        <Button
          aria-label={t('Rename {passkey}', { passkey: name })}
          onClick={() => setDialog('rename')}
        >
          {t('Rename')}
        </Button>
        <Button
          aria-label={t('Remove {passkey}', { passkey: name })}
          onClick={() => setDialog('remove')}
        >
          {t('Remove')}
        </Button>
      </LabelledRow>
      <Dialog open={dialog === 'rename'} title={t('Rename passkey')} onClose={close}>
        <Renaming id={id} name={name} reload={reload} onClose={close} />
      </Dialog>
      <Dialog
        open={dialog === 'remove'}
        title={t('Remove “{passkey}”?', { passkey: name })}
        onClose={close}
      >
        {own.hasPassword || own.passkeys.length > 1 ? (
          <Removal id={id} own={own} reload={reload} onClose={close} />
        ) : (
          <OnlyWayIn onClose={close} />
        )}
      </Dialog>
    </li>
  )
}

function Renaming({
  id,
  name: before,
  reload,
  onClose,
}: {
  id: string
  name: string
  reload: () => Promise<void>
  onClose: () => void
}) {
  const { renamePasskey } = useAccountCommands()
  const [name, setName] = useState(before)
  return (
    <DialogForm
      submit={t('Rename')}
      disabled={name.trim() === ''}
      onClose={onClose}
      onSend={async () => {
        await renamePasskey(id, name.trim())
        await reload()
      }}
    >
      <NameField name={name} onName={setName} />
    </DialogForm>
  )
}

function Removal({
  id,
  own,
  reload,
  onClose,
}: {
  id: string
  own: OwnPasskeys
  reload: () => Promise<void>
  onClose: () => void
}) {
  const { removePasskey } = useAccountCommands()
  const [proof, setProof] = useState<Proof>(firstProof(own))
  return (
    <DialogForm
      submit={t('Remove')}
      danger
      onClose={onClose}
      onSend={async () => {
        await removePasskey(id, proof)
        keepFocusInList()
        await reload()
      }}
    >
      <p>
        {t(
          'It no longer signs you in here, and devices that signed in with it are signed out. Delete it on the device as well.',
        )}
      </p>
      <ProofFields own={own} proof={proof} onProof={setProof} />
    </DialogForm>
  )
}

/** Says why the passkey stays. */
function OnlyWayIn({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p>{t('It is the only way into your account. Set a password first, then remove it.')}</p>
      <Button onClick={onClose} className="self-end">
        {t('Close')}
      </Button>
    </>
  )
}

/** Asks for a name and a proof, then for the passkey itself: browsers want a press for each request to a passkey. */
function Addition({
  own,
  reload,
  onClose,
}: {
  own: OwnPasskeys
  reload: () => Promise<void>
  onClose: () => void
}) {
  const { beginPasskey } = useAccountCommands()
  const [name, setName] = useState(shownDevice(deviceLabel(navigator.userAgent)))
  const [proof, setProof] = useState<Proof>(firstProof(own))
  const [make, setMake] = useState<((name: string) => Promise<void>) | null>(null)

  async function finish(finishing: (name: string) => Promise<void>) {
    await finishing(name.trim())
    showToast({ text: t('Passkey added') })
    await reload()
  }

  return (
    <Dialog open title={t('Add a passkey')} onClose={onClose}>
      {make === null ? (
        <DialogForm
          key="proof"
          submit={proof === 'passkey' ? t('next step|Continue') : t('Create passkey')}
          disabled={name.trim() === ''}
          // The second step closes the dialog.
          onClose={proof === 'passkey' ? () => undefined : onClose}
          onCancel={onClose}
          onSend={async () => {
            const finishing = await beginPasskey(proof)
            if (proof === 'passkey') setMake(() => finishing)
            else await finish(finishing)
          }}
        >
          <NameField name={name} onName={setName} />
          <ProofFields own={own} proof={proof} onProof={setProof} />
        </DialogForm>
      ) : (
        <DialogForm
          key="passkey"
          submit={t('Create passkey')}
          onClose={onClose}
          onSend={() => finish(make)}
        >
          <p>{t('Confirmed. Now create the new passkey.')}</p>
        </DialogForm>
      )}
    </Dialog>
  )
}

function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  return (
    <TextField
      label={t('Name')}
      hint={t('Where the passkey is, such as “Phone” or “Blue security key”.')}
      data-autofocus=""
      autoComplete="off"
      maxLength={128}
      required
      value={name}
      onChange={(event) => onName(event.target.value)}
    />
  )
}

/** How the user confirms who they are. An account with a password and passkeys has the choice. */
function ProofFields({
  own: { hasPassword, passkeys },
  proof,
  onProof,
}: {
  own: OwnPasskeys
  proof: Proof
  onProof: (proof: Proof) => void
}) {
  const auth = useAuth()
  const email = auth.status === 'signed-in' ? auth.user.email : ''
  return (
    <>
      {hasPassword && passkeys.length > 0 && (
        <div className="flex flex-col items-start gap-1.5">
          <Segmented
            label={t('Confirm with')}
            options={[
              { value: 'password', label: t('Password') },
              { value: 'passkey', label: t('Passkey') },
            ]}
            value={proof === 'passkey' ? 'passkey' : 'password'}
            onChange={(kind) => onProof(kind === 'passkey' ? 'passkey' : { password: '' })}
          />
        </div>
      )}
      {proof === 'passkey' && <p>{t('You will be asked for one of your passkeys.')}</p>}
      {proof !== null && proof !== 'passkey' && (
        <>
          {/* Password managers know the password by this address. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            label={t('Password')}
            autoComplete="current-password"
            required
            value={proof.password}
            onChange={(event) => onProof({ password: event.target.value })}
          />
        </>
      )}
    </>
  )
}

function firstProof({ hasPassword, passkeys }: OwnPasskeys): Proof {
  if (hasPassword) return { password: '' }
  return passkeys.length > 0 ? 'passkey' : null
}
