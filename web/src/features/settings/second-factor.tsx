import { Check, Copy } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { useRef, useState } from 'react'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Icon } from '#ui/icon.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { QrCode } from '#ui/qr-code.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast.tsx'
import { useAuth } from '#hooks/use-auth.ts'
import { DialogForm } from './dialog-form.tsx'
import { useAccountCommands, useSecondFactor } from './use-account.ts'
import type { NewSecondFactor } from './use-account.ts'

/** Whether signing in with the password asks for a code. Only Stint's own server can ask. */
export function SecondFactor() {
  const { value, error, reload } = useSecondFactor()
  const [dialog, setDialog] = useState<'on' | 'off' | null>(null)
  const close = () => {
    setDialog(null)
    void reload()
  }
  const isOn = value?.isOn === true
  return (
    <>
      <LabelledRow
        label={t('Code at sign-in')}
        hint={
          isOn
            ? t(
                'Signing in with the password asks for a code of your authenticator app. {count, plural, =0 {No recovery code is left: turn it off and on again for new ones.} one {# recovery code is left.} other {# recovery codes are left.}}',
                { count: value.recoveryCodes },
              )
            : t('Ask for a code of an authenticator app after the password.')
        }
      >
        <Button
          aria-label={isOn ? t('Turn off the code at sign-in') : t('Turn on the code at sign-in')}
          disabled={value === null}
          onClick={() => setDialog(isOn ? 'off' : 'on')}
        >
          {isOn ? t('code|Turn off') : t('code|Turn on')}
        </Button>
      </LabelledRow>
      {error !== null && (
        <div className="py-2">
          <Banner onRetry={() => void reload()}>
            {t('Couldn’t load whether a code is asked for. {reason}', { reason: error })}
          </Banner>
        </div>
      )}
      {dialog === 'on' && <TurningOn onClose={close} />}
      <Dialog open={dialog === 'off'} title={t('Turn off the code?')} onClose={close}>
        <TurningOff onClose={close} />
      </Dialog>
    </>
  )
}

/** The password, then the app and its first code, then the recovery codes. */
function TurningOn({ onClose }: { onClose: () => void }) {
  const { beginSecondFactor } = useAccountCommands()
  const auth = useAuth()
  const [password, setPassword] = useState('')
  const [begun, setBegun] = useState<NewSecondFactor | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onClose={onClose} />
  return (
    <Dialog open title={t('Code at sign-in')} onClose={onClose}>
      {begun === null ? (
        <DialogForm
          key="password"
          submit={t('next step|Continue')}
          disabled={password === ''}
          onClose={() => undefined}
          onCancel={onClose}
          onSend={async () => setBegun(await beginSecondFactor(password))}
        >
          <p>
            {t(
              'You need an authenticator app, on your phone or in your password manager. Passkeys and sign-ins by another service ask for no code.',
            )}
          </p>
          <input
            type="email"
            autoComplete="username"
            value={auth.status === 'signed-in' ? auth.user.email : ''}
            readOnly
            hidden
          />
          <PasswordField
            label={t('Password')}
            data-autofocus=""
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </DialogForm>
      ) : (
        <Confirming begun={begun} onConfirmed={setRecoveryCodes} onCancel={onClose} />
      )}
    </Dialog>
  )
}

function Confirming({
  begun: { secret, address },
  onConfirmed,
  onCancel,
}: {
  begun: NewSecondFactor
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}) {
  const { confirmSecondFactor } = useAccountCommands()
  const [code, setCode] = useState('')
  return (
    <DialogForm
      key="code"
      submit={t('code|Turn on')}
      disabled={code.trim() === ''}
      onClose={() => undefined}
      onCancel={onCancel}
      onSend={async () => onConfirmed(await confirmSecondFactor(code.trim()))}
    >
      <p>
        {t('Scan this with the app, or type the key into it. Then enter the code that it shows.')}
      </p>
      <QrCode
        text={address}
        label={t('The key as a QR code')}
        className="size-44 self-center rounded-control"
      />
      <p className="flex flex-col gap-1">
        <span className="text-sm font-semibold text-ink">{t('authenticator|Key')}</span>
        <code className="font-mono text-sm break-words text-ink select-all">
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
      </p>
      <CodeField code={code} onCode={setCode} />
    </DialogForm>
  )
}

function TurningOff({ onClose }: { onClose: () => void }) {
  const { endSecondFactor } = useAccountCommands()
  const [code, setCode] = useState('')
  return (
    <DialogForm
      submit={t('code|Turn off')}
      danger
      disabled={code.trim() === ''}
      onClose={onClose}
      onSend={async () => {
        await endSecondFactor(code.trim())
        showToast({ text: t('Signing in asks for no code any more') })
      }}
    >
      <p>{t('Enter a code of your app, or a recovery code.')}</p>
      <CodeField code={code} onCode={setCode} />
    </DialogForm>
  )
}

function CodeField({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  return (
    <TextField
      label={t('Code')}
      data-autofocus=""
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={64}
      required
      value={code}
      onChange={(event) => onCode(event.target.value)}
    />
  )
}

/** Shows the recovery codes, once. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const [isCopied, setIsCopied] = useState(false)

  async function copy() {
    if (!place.current) return
    if (await copyText(codes.join('\n'), place.current)) setIsCopied(true)
    else showToast({ text: t('Couldn’t copy. Your browser blocked the clipboard.') })
  }

  return (
    <Dialog open title={t('Your recovery codes')} onClose={onClose}>
      <div ref={place} className="flex flex-col gap-4">
        <p>
          {t(
            'Each signs you in once without the app. Keep them where you find them without this device: they are not shown again.',
          )}
        </p>
        <ul className="grid grid-cols-2 gap-x-4 gap-y-1 font-mono text-sm text-ink max-sm:grid-cols-1">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <FormActions>
          <Button variant="primary" data-autofocus="" onClick={() => void copy()}>
            <Icon of={isCopied ? Check : Copy} />
            {isCopied ? t('Copied') : t('Copy')}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t('Done')}
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
