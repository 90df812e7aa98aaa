import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { messageOf } from './use-account.ts'

/**
 * A form in a dialog that is sent as a whole. An error is shown above the fields, which keep their
 * values. Closing the dialog discards them.
 */
export function DialogForm({
  submit,
  danger = false,
  disabled = false,
  onSend,
  onClose,
  onCancel = onClose,
  children,
}: {
  submit: string
  danger?: boolean
  disabled?: boolean
  /** Rejects with an Error whose message is shown. */
  onSend: () => Promise<void>
  /** Called when it was sent. */
  onClose: () => void
  /** Called for Cancel. Default: `onClose`. */
  onCancel?: () => void
  children: ReactNode
}) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function send() {
    setBusy(true)
    setError(null)
    try {
      await onSend()
      onClose()
    } catch (cause) {
      setError(messageOf(cause))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {error !== null && <Banner>{error}</Banner>}
      <Form onSend={send} className="flex flex-col gap-4">
        {children}
        <FormActions>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={disabled}
          >
            {submit}
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </FormActions>
      </Form>
    </>
  )
}
