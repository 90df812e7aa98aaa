import { Plus } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { useState } from 'react'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { keepFocusInList } from '#ui/keep-focus-in-list.ts'
import { Segmented } from '#ui/segmented.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useNow } from '#hooks/use-now.ts'
import { BookmarkletRow } from './bookmarklet.tsx'
import { useAccountCommands, useHasFeed, useKeys } from './use-account.ts'
import type { PersonalKey } from './use-account.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { DialogForm } from './dialog-form.tsx'
import { Secret } from './secret.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { WebhookButton } from './webhook.tsx'

/** The keys with which programs act in the user's name. Only Stint's own server has them. */
export function Keys() {
  return (
    <>
      <KeyRows />
      <BookmarkletRow />
      <CalendarRow />
    </>
  )
}

function KeyRows() {
  const { value: keys, error, reload } = useKeys()
  const [wanted, setWanted] = useState<WantedKey | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <LabelledRow
        label={t('API keys')}
        hint={
          <>
            {t(
              'Scripts, shortcuts and assistants use a key to read your time or to control the timer. Keep it as secret as a password.',
            )}{' '}
            <a href={`${import.meta.env.BASE_URL}docs/api`} className="font-semibold underline">
              {t('API documentation')}
            </a>
          </>
        }
      >
        <Button disabled={keys === null} onClick={() => setWanted(ANY_KEY)}>
          <Icon of={Plus} />
          {t('Create key')}
        </Button>
        {wanted !== null && (
          <NewKey
            wanted={wanted}
            onCreated={(created) => {
              setSecret(created)
              void reload()
            }}
            onClose={() => setWanted(null)}
          />
        )}
        {secret !== null && (
          <Secret
            title={t('Your new key')}
            label={t('Key')}
            hint={t('Copy it now. It is not shown again.')}
            secret={secret}
            onClose={() => setSecret(null)}
          />
        )}
      </LabelledRow>
      {keys === null && error === null && (
        <LabelledRow label={<Skeleton className="h-5 w-40" />}>
          <span className="sr-only">{t('Loading your keys')}</span>
        </LabelledRow>
      )}
      {error !== null && (
        <div className="py-2">
          <Banner onRetry={() => void reload()}>
            {t('Couldn’t load your keys. {reason}', { reason: error })}
          </Banner>
        </div>
      )}
      {keys !== null && keys.length > 0 && (
        <ul aria-label={t('Keys')} className="divide-y divide-line">
          {keys.map((key) => (
            <KeyRow key={key.id} personalKey={key} reload={reload} />
          ))}
        </ul>
      )}
      <LabelledRow
        wide
        label={t('Browser extension')}
        hint={t(
          'The timer in the toolbar of Chromium and Firefox. It needs a key, which its options ask for.',
        )}
      >
        <Button
          disabled={keys === null}
          onClick={() => setWanted({ name: t('Browser extension'), access: 'write' })}
        >
          <Icon of={Plus} />
          {t('Key for the extension')}
        </Button>
      </LabelledRow>
    </>
  )
}

function KeyRow({
  personalKey: { id, name, access, lastUsedAt },
  reload,
}: {
  personalKey: PersonalKey
  reload: () => Promise<void>
}) {
  const { revokeKey } = useAccountCommands()
  const [isAsking, setIsAsking] = useState(false)
  const now = useNow()
  const dayRule = useDayRule()
  const allowed = access === 'read' ? t('Read only') : t('Read and write')
  const used =
    lastUsedAt === null
      ? t('Never used')
      : t('Last used: {day}', { day: sessionDay(lastUsedAt, now, dayRule) })
  return (
    <li>
      <LabelledRow
        wide
        label={<span className="break-words">{name}</span>}
        hint={`${allowed} · ${used}`}
      >
        <WebhookButton keyId={id} keyName={name} />
        <Button aria-label={t('Revoke {key}', { key: name })} onClick={() => setIsAsking(true)}>
          {t('Revoke')}
        </Button>
      </LabelledRow>
      <Dialog
        open={isAsking}
        title={t('Revoke “{key}”?', { key: name })}
        onClose={() => setIsAsking(false)}
      >
        <DialogForm
          submit={t('Revoke')}
          danger
          onClose={() => setIsAsking(false)}
          onSend={async () => {
            await revokeKey(id)
            keepFocusInList()
            await reload()
          }}
        >
          <p>{t('Programs that use this key lose access immediately.')}</p>
        </DialogForm>
      </Dialog>
    </li>
  )
}

/** What the form of a new key begins with. */
type WantedKey = Pick<PersonalKey, 'name' | 'access'>

const ANY_KEY: WantedKey = { name: '', access: 'read' }

/** Asks for a name and what the key may do. */
function NewKey({
  wanted,
  onCreated,
  onClose,
}: {
  wanted: WantedKey
  onCreated: (secret: string) => void
  onClose: () => void
}) {
  const { createKey } = useAccountCommands()
  const [name, setName] = useState(wanted.name)
  const [access, setAccess] = useState(wanted.access)
  return (
    <Dialog open title={t('Create key')} onClose={onClose}>
      <DialogForm
        submit={t('Create key')}
        disabled={name.trim() === ''}
        onClose={onClose}
        onSend={async () => onCreated(await createKey({ name: name.trim(), access }))}
      >
        <TextField
          label={t('Name')}
          hint={t('What will use the key, such as “Home Assistant”.')}
          data-autofocus=""
          autoComplete="off"
          maxLength={128}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex flex-col items-start gap-1.5">
          <Segmented
            label={t('Access')}
            options={[
              { value: 'read', label: t('Read only') },
              { value: 'write', label: t('Read and write') },
            ]}
            value={access}
            onChange={setAccess}
          />
        </div>
      </DialogForm>
    </Dialog>
  )
}

/** The address at which calendars read the user's sessions. */
function CalendarRow() {
  const { value: hasFeed, error, reload } = useHasFeed()
  const { createFeed, revokeFeed } = useAccountCommands()
  const [dialog, setDialog] = useState<'create' | 'replace' | 'revoke' | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  const close = () => setDialog(null)

  async function create() {
    setAddress(await createFeed())
    void reload()
  }

  return (
    <>
      <LabelledRow
        wide
        label={t('Calendar feed')}
        hint={t(
          'Your calendar shows the sessions of the last eight weeks from this address. Whoever has it can read them.',
        )}
      >
        {hasFeed === true && (
          <Button onClick={() => setDialog('replace')}>{t('Replace address')}</Button>
        )}
        {/* One button for both, so that it keeps the focus. */}
        <Button
          disabled={hasFeed === null}
          onClick={() => setDialog(hasFeed === true ? 'revoke' : 'create')}
        >
          {hasFeed !== true && <Icon of={Plus} />}
          {hasFeed === true ? t('Revoke address') : t('Create address')}
        </Button>
      </LabelledRow>
      {error !== null && (
        <div className="py-2">
          <Banner onRetry={() => void reload()}>
            {t('Couldn’t load your calendar address. {reason}', { reason: error })}
          </Banner>
        </div>
      )}
      <Dialog open={dialog === 'create'} title={t('Create calendar address?')} onClose={close}>
        <DialogForm submit={t('Create address')} onClose={close} onSend={create}>
          <p>
            {t(
              'Whoever has the address can read your sessions with their tasks and notes, but change nothing.',
            )}
          </p>
        </DialogForm>
      </Dialog>
      <Dialog open={dialog === 'replace'} title={t('Replace calendar address?')} onClose={close}>
        <DialogForm submit={t('Replace address')} danger onClose={close} onSend={create}>
          <p>{t('Calendars with the old address stop showing your sessions.')}</p>
        </DialogForm>
      </Dialog>
      <Dialog open={dialog === 'revoke'} title={t('Revoke calendar address?')} onClose={close}>
        <DialogForm
          submit={t('Revoke address')}
          danger
          onClose={close}
          onSend={async () => {
            await revokeFeed()
            await reload()
          }}
        >
          <p>{t('Calendars with the old address stop showing your sessions.')}</p>
        </DialogForm>
      </Dialog>
      {address !== null && (
        <Secret
          title={t('Your calendar address')}
          label={t('Address')}
          hint={t('address|Copy it now. It is not shown again.')}
          secret={address}
          onClose={() => setAddress(null)}
        />
      )}
    </>
  )
}
