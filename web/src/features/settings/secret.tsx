import { Check, Copy } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast.tsx'

/** Shows a new secret once. */
export function Secret({
  title,
  label,
  hint,
  secret,
  onClose,
}: {
  title: string
  label: string
  hint: string
  secret: string
  onClose: () => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const [isCopied, setIsCopied] = useState(false)

  async function copy() {
    if (!place.current) return
    if (await copyText(secret, place.current)) setIsCopied(true)
    else showToast({ text: t('Couldn’t copy. Your browser blocked the clipboard.') })
  }

  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="primary" data-autofocus="" onClick={() => void copy()}>
            <Icon of={isCopied ? Check : Copy} />
            {isCopied ? t('Copied') : t('Copy')}
          </Button>
          <Button onClick={onClose}>{t('Done')}</Button>
        </>
      }
    >
      <div ref={place}>
        <TextField
          label={label}
          hint={hint}
          readOnly
          value={secret}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className="font-mono"
        />
      </div>
    </Dialog>
  )
}
