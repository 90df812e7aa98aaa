import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { currentLocation, useLocation } from './navigation.tsx'

export interface Toast {
  text: string
  /** Errors stay until they are dismissed. */
  tone?: 'notice' | 'danger'
  action?: { label: string; run: () => void | Promise<void> }
  /** Makes one line of toasts of this text that follow each other: returns what it says of so many. */
  several?: ((count: number) => string) | undefined
}
interface ShownToast extends Toast {
  id: number
  /** How many toasts are one line. */
  count: number
  /** The page on which it appeared. */
  pathname: string
}

const SHOWN_MILLISECONDS = 5_000
/** Long enough to notice a mistake and undo it. */
const SHOWN_WITH_ACTION_MILLISECONDS = 10_000

let toasts: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/**
 * Shows a message at the bottom of the screen, in place of the one before; returns a function that removes
 * it. An error that was not dismissed waits below, and is shown again afterwards.
 */
export function showToast(toast: Toast): () => void {
  lastId += 1
  const last = toasts.at(-1)
  const isMore = last?.text === toast.text && toast.several && last.several
  const shown = {
    ...toast,
    id: lastId,
    count: isMore ? last.count + 1 : 1,
    pathname: currentLocation().pathname,
    ...(isMore && toast.action && { action: both(toast.action, last.action) }),
  }
  const errors = toasts.filter(({ tone, text }) => tone === 'danger' && text !== toast.text)
  publish([...errors, shown])
  return () => dismiss(shown.id)
}

/** The action of one line for several: the newest first, as an undo must go. */
function both(newest: Action, earlier: Action | undefined): Action {
  return {
    label: newest.label,
    async run() {
      await newest.run()
      await earlier?.run()
    },
  }
}
type Action = NonNullable<Toast['action']>

/**
 * The live region of the toasts, of which one is shown at a time. Every page has one; it stays mounted so
 * that screen readers announce it. A toast is gone on the next page, except an error.
 */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts).at(-1)
  const page = useLocation().pathname
  useEffect(
    () => publish(toasts.filter(({ tone, pathname }) => tone === 'danger' || pathname === page)),
    [page],
  )
  // Clears the toasts at sign-out. The next person must not read or undo them.
  useEffect(() => () => publish([]), [])
  return (
    <output
      aria-label={t('Messages')}
      className="pointer-events-none flex flex-col items-center px-4 pb-3 md:pb-6"
    >
      {shown && <ToastLine key={shown.id} toast={shown} />}
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
      <span className="min-w-0 py-1.5 break-words">
        {toast.count > 1 ? toast.several?.(toast.count) : toast.text}
      </span>
      {action && (
        <Button
          variant="quiet"
          size="small"
          className="text-accent! hover:text-accent!"
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
