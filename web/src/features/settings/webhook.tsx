import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { useEffect, useState } from 'react'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useNow } from '#hooks/use-now.ts'
import { messageOf, useAccountCommands, useWebhook } from './use-account.ts'
import type { WebhookDelivery } from './use-account.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { DialogForm } from './dialog-form.tsx'
import { Secret } from './secret.tsx'

/** How soon the log is read again while a message is on its way, in milliseconds. */
const LOG_INTERVAL = 1000

/** Opens the webhook of a key: the address that Stint calls when the timer or a session changes. */
export function WebhookButton({ keyId, keyName }: { keyId: string; keyName: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <Button aria-label={t('Webhook for {key}', { key: keyName })} onClick={() => setIsOpen(true)}>
        {t('Webhook')}
      </Button>
      <Dialog
        open={isOpen}
        title={t('Webhook for “{key}”', { key: keyName })}
        onClose={() => setIsOpen(false)}
      >
        <Webhook keyId={keyId} onCreated={setSecret} onClose={() => setIsOpen(false)} />
      </Dialog>
      {secret !== null && (
        <Secret
          title={t('Webhook secret')}
          label={t('Secret')}
          hint={t('It checks the signatures of messages. Copy it now. It is not shown again.')}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}

function Webhook({
  keyId,
  onCreated,
  onClose,
}: {
  keyId: string
  onCreated: (secret: string) => void
  onClose: () => void
}) {
  const { value: webhook, error, reload } = useWebhook(keyId)
  const { createWebhook, testWebhook, removeWebhook } = useAccountCommands()
  const [url, setUrl] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const isOnItsWay = webhook?.deliveries.some(isUntried) === true
  useEffect(() => {
    if (!isOnItsWay) return
    const timer = setInterval(() => void reload(), LOG_INTERVAL)
    return () => clearInterval(timer)
  }, [isOnItsWay, reload])

  if (webhook === null) {
    return error === null ? (
      <Skeleton className="h-11 w-full" />
    ) : (
      <Banner onRetry={() => void reload()}>{error}</Banner>
    )
  }
  if (webhook.url === null) {
    return (
      <DialogForm
        submit={t('Save')}
        disabled={url.trim() === ''}
        onClose={onClose}
        onSend={async () => onCreated(await createWebhook(keyId, url.trim()))}
      >
        <TextField
          label={t('Address')}
          hint={t('Stint calls it when the timer or a session changes. It begins with https://.')}
          data-autofocus=""
          type="url"
          autoComplete="off"
          maxLength={2048}
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </DialogForm>
    )
  }
  return (
    <>
      <p className="font-mono text-sm break-all text-ink">{webhook.url}</p>
      <Messages deliveries={webhook.deliveries} />
      {(problem ?? error) !== null && <Banner>{problem ?? error}</Banner>}
      <FormActions>
        <Button variant="primary" onClick={() => void act(() => testWebhook(keyId))}>
          {t('Send test')}
        </Button>
        <Button variant="danger" onClick={() => void act(() => removeWebhook(keyId).then(onClose))}>
          {t('Remove webhook')}
        </Button>
      </FormActions>
    </>
  )

  async function act(work: () => Promise<void>) {
    setProblem(null)
    await work().catch((cause: unknown) => setProblem(messageOf(cause)))
    await reload()
  }
}

/** The last messages, the newest first. */
function Messages({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  const now = useNow()
  const dayRule = useDayRule()
  const { clockTime } = useFormats()
  if (deliveries.length === 0) return <p>{t('No messages yet.')}</p>
  return (
    <ul aria-label={t('Last messages')} className="max-h-60 overflow-y-auto text-sm">
      {deliveries.map(({ id, event, status, answer, createdAt }) => (
        <li key={id} className="flex flex-wrap justify-between gap-x-4 py-1">
          <span className="text-ink">
            {event} · {STATUS[status]}
            {answer !== null && ` · ${answer}`}
          </span>
          <span>
            {sessionDay(createdAt, now, dayRule)} {clockTime(createdAt, dayRule.timeZone)}
          </span>
        </li>
      ))}
    </ul>
  )
}

const STATUS: Readonly<Record<WebhookDelivery['status'], string>> = {
  waiting: t('Waiting'),
  delivered: t('Delivered'),
  failed: t('message|Failed'),
}

function isUntried({ status, answer }: WebhookDelivery): boolean {
  return status === 'waiting' && answer === null
}
