import { CircleAlert } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { Button } from './button.tsx'
import { Panel } from './row.tsx'

/**
 * Replaces a part of a page that could not be loaded: the error and Try Again. For an error beside
 * loaded content, use `Banner`.
 */
export function ErrorPanel({
  title,
  message,
  onRetry,
}: {
  title: string
  message: string
  onRetry: () => void
}) {
  return (
    <Panel>
      <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
        <CircleAlert aria-hidden="true" className="size-8 text-danger" strokeWidth={1.5} />
        <p className="font-semibold">{title}</p>
        <p className="max-w-md break-words text-danger">{message}</p>
        <Button onClick={onRetry}>{t('Try Again')}</Button>
      </div>
    </Panel>
  )
}
