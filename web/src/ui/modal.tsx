import { Dialog } from '@base-ui/react/dialog'
import { useLayoutEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** What opened each of the open dialogs, the top one last. */
const openers: (Element | null)[] = []

/**
 * An unstyled modal dialog, open while it is mounted. It takes the focus and restores it on close.
 * Escape and a press outside call `onClose`. The element with `data-autofocus` gets the focus first.
 */
export function Modal({
  onClose,
  className,
  children,
  ...names
}: {
  onClose: () => void
  className: string
  children: ReactNode
  'aria-label'?: string
  'aria-labelledby'?: string
}) {
  const [opener] = useState(() => document.activeElement)

  useLayoutEffect(() => {
    openers.push(opener)
    return () => {
      openers.splice(openers.lastIndexOf(opener), 1)
      // At once, as the next keys are for what is behind; the library waits for a frame.
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [opener])

  return (
    <Dialog.Root
      open
      onOpenChange={() => {
        // Escape is for the top one, whichever part of the app it is of.
        if (openers.at(-1) === opener) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-[oklch(0.2_0.02_260/0.4)]" />
        <Dialog.Viewport className="fixed inset-0 z-50 flex overflow-y-auto overscroll-contain p-4">
          <Dialog.Popup
            {...names}
            ref={focusFirst}
            initialFocus={false}
            finalFocus={false}
            className={classNames(
              'w-full animate-appear rounded-panel border border-line bg-raised text-ink shadow-float outline-none',
              className,
            )}
          >
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Ref callback: focuses what is needed first, at once, so that no key is lost. */
function focusFirst(popup: HTMLElement | null): void {
  if (!popup) return
  const wanted = popup.querySelector<HTMLElement>('[data-autofocus]')
  if (!wanted && popup.contains(document.activeElement)) return
  // Else the first field or the title, never the button that closes it.
  const first =
    wanted ??
    popup.querySelector<HTMLElement>('input:not([hidden], [type="file"]), select, textarea, h2')
  ;(first ?? popup).focus()
}
