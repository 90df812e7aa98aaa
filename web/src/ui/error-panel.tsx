import { CircleAlert } from 'lucide-react'
import { Button } from './button.tsx'
import { Panel } from './row.tsx'

/**
 * Instead of a part of a page that could not be loaded: what happened, and Try Again. An error beside
 * what is there is a `Banner`.
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
        <Button onClick={onRetry}>Try Again</Button>
      </div>
    </Panel>
  )
}
