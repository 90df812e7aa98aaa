import { t } from '@stint/core/text.ts'
import { useState } from 'react'

import { Button } from '#ui/button.tsx'
import { Form } from '#ui/form.tsx'
import { TextField } from '#ui/text-field.tsx'

/** Asks for the address of a calendar. */
export function AddressForm({ onRead }: { onRead: (url: string) => Promise<void> }) {
  const [url, setUrl] = useState('')
  return (
    <Form
      onSend={async () => {
        if (url.trim() !== '') await onRead(url.trim())
      }}
      className="flex flex-col items-start gap-3 *:first:w-full"
    >
      <TextField
        label={t('Address of the calendar')}
        hint={t(
          'The server reads it for you and keeps nothing of it. The address stays on this device.',
        )}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Button type="submit">{t('source|Read')}</Button>
    </Form>
  )
}
