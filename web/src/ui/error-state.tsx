import { CircleAlert } from 'lucide-react'
import { Button } from './button.tsx'

/** A part of a page that could not be loaded: what happened, and one button. */
export function ErrorState({
  title,
  message,
  retryLabel,
  onRetry,
}: {
  title: string
  message: string
  retryLabel: string
  onRetry: () => void
}) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <CircleAlert aria-hidden="true" className="size-8 text-danger" strokeWidth={1.5} />
      <p className="font-semibold">{title}</p>
      <p className="max-w-md break-words text-danger">{message}</p>
      <Button onClick={onRetry}>{retryLabel}</Button>
    </div>
  )
}
