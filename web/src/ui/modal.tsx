import { useLayoutEffect, useRef } from 'react'
import type { DialogHTMLAttributes, ReactNode, SyntheticEvent } from 'react'
import { classNames } from './class-names.ts'

/**
 * The platform's modal dialog without contents, open while it is mounted: it takes the focus and gives
 * it back, Escape and a press beside it call `onClose`, and the page behind it is out of reach. What
 * carries `data-autofocus` is where it begins.
 */
export function Modal({
  onClose,
  className,
  children,
  ...attributes
}: {
  onClose: () => void
  className: string
  children: ReactNode
} & Omit<DialogHTMLAttributes<HTMLDialogElement>, 'onClose'>) {
  const element = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget>(null)

  // Closed before it leaves the page: one that is only taken away gives no focus back.
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return undefined
    dialog.showModal()
    // The platform takes the first button; what is asked for first is often a field.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog.close()
  }, [])

  /**
   * A press beside the dialog closes it at its end, not at its beginning: the rest of a finger's press
   * would go to what lies behind. A press that began inside, as a selection does, is none.
   */
  function onClick({ target, currentTarget }: SyntheticEvent) {
    if (target === currentTarget && pressed.current === currentTarget) onClose()
  }

  return (
    // By keyboard, Escape does the same as a press beside it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      {...attributes}
      ref={element}
      // At once: the event of a closed dialog comes later, perhaps when it is wanted again.
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.open) onClose()
      }}
      onPointerDown={({ target }) => (pressed.current = target)}
      onClick={onClick}
      className={classNames(
        'w-full rounded-panel border border-line bg-raised p-0 text-ink shadow-float open:animate-appear max-md:w-[calc(100%-2rem)]',
        className,
      )}
    >
      {children}
    </dialog>
  )
}
