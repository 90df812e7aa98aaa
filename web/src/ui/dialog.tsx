import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { notePress, wasBeside } from './press-beside.ts'

/**
 * The platform's modal dialog: it takes the focus and gives it back, Escape and a press beside it
 * close it, and the page behind it is out of reach. What carries `data-autofocus` is where it begins.
 */
export function Dialog({
  open,
  title,
  onClose,
  children,
  actions,
  stacked = false,
}: {
  open: boolean
  title: string
  onClose: () => void
  children: ReactNode
  /** Buttons, the one that does it first: in a row, or one under the other when they are long. */
  actions?: ReactNode
  stacked?: boolean
}) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // Closed before it leaves the page: one that is only taken away gives no focus back.
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog || !open) return undefined
    dialog.showModal()
    // The platform takes the first button; what is asked for first is often a field.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog.close()
  }, [open])

  return (
    // By keyboard, Escape does the same as a press beside it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={element}
      aria-labelledby={titleId}
      // At once: the event of a closed dialog comes later, perhaps when it is wanted again.
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        if (open && !currentTarget.open) onClose()
      }}
      onPointerDown={notePress}
      onClick={(event) => {
        if (wasBeside(event)) onClose()
      }}
      className="m-auto w-full max-w-md rounded-panel border border-line bg-raised p-0 text-ink shadow-float open:animate-appear max-md:mx-4 max-md:w-[calc(100%-2rem)]"
    >
      {open && (
        <div className="flex flex-col gap-4 p-5">
          <header className="flex items-start justify-between gap-4">
            <h2 id={titleId} className="text-base font-semibold">
              {title}
            </h2>
            <IconButton icon={X} label="Close" onClick={onClose} className="-m-2 md:-m-1" />
          </header>
          <div className="flex flex-col gap-3 text-quiet">{children}</div>
          {actions && (
            <footer
              className={classNames(
                'flex flex-col gap-2 pt-1',
                !stacked && 'md:flex-row-reverse md:flex-wrap md:justify-start',
              )}
            >
              {actions}
            </footer>
          )}
        </div>
      )}
    </dialog>
  )
}
