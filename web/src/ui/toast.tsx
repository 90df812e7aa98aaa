import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

export interface Toast {
  text: string
  /** Errors stay until they are dismissed. */
  tone?: 'notice' | 'danger'
  action?: { label: string; run: () => void | Promise<void> }
}
interface ShownToast extends Toast {
  id: number
}

const MAX_AT_ONCE = 3
const SHOWN_MILLISECONDS = 5_000
/** Long enough to notice a mistake and undo it. */
const SHOWN_WITH_ACTION_MILLISECONDS = 10_000

let toasts: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a message at the bottom of the screen; returns a function that removes it. */
export function showToast(toast: Toast): () => void {
  lastId += 1
  const shown = { ...toast, id: lastId }
  publish([...toasts, shown].slice(-MAX_AT_ONCE))
  return () => dismiss(shown.id)
}

/**
 * The live region of the toasts. Every page has one; it stays mounted so that screen readers announce
 * it.
 */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  // Clears the toasts at sign-out. The next person must not read or undo them.
  useEffect(() => () => publish([]), [])
  return (
    <output
      aria-label={t('Messages')}
      className="pointer-events-none fixed inset-x-4 bottom-[calc(env(safe-area-inset-bottom)+8.5rem)] short:bottom-24 z-40 flex flex-col items-center gap-2 md:bottom-6"
    >
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </output>
  )
}

function ToastLine({ toast }: { toast: ShownToast }) {
  const [held, setHeld] = useState(false)
  const stays = held || toast.tone === 'danger'
  const { id, action } = toast

  useEffect(() => {
    if (stays) return undefined
    const shownFor = action ? SHOWN_WITH_ACTION_MILLISECONDS : SHOWN_MILLISECONDS
    const timeout = setTimeout(() => dismiss(id), shownFor)
    return () => clearTimeout(timeout)
  }, [id, action, stays])

  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classNames(
        'pointer-events-auto flex max-w-md min-w-0 animate-appear items-center gap-2 rounded-control border bg-raised py-1 pe-1 ps-4 text-sm shadow-float',
        toast.tone === 'danger' ? 'border-danger/40 text-danger' : 'border-line text-ink',
      )}
    >
      <span className="min-w-0 py-1.5 break-words">{toast.text}</span>
      {action && (
        <Button
          variant="quiet"
          size="small"
          className="text-accent hover:text-accent"
          onClick={() => {
            dismiss(id)
            void action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon={X} label={t('Dismiss')} onClick={() => dismiss(id)} />
    </div>
  )
}

function dismiss(id: number) {
  publish(toasts.filter((toast) => toast.id !== id))
}

function publish(next: readonly ShownToast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
