import { useLayoutEffect, useRef } from 'react'
import type { DialogHTMLAttributes, ReactNode, SyntheticEvent } from 'react'
import { classNames } from './class-names.ts'

/**
 * An unstyled modal dialog, open while it is mounted. It takes the focus and restores it on close.
 * Escape and a press outside call `onClose`. The element with `data-autofocus` gets the focus first.
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

  // Closed before it is removed from the page; otherwise the browser does not restore the focus.
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return undefined
    dialog.showModal()
    // The browser focuses the first button, but the first thing needed is often a field.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog.close()
  }, [])

  /**
   * Closes the dialog when a press outside it ends. Closing it at the start would send the rest of a
   * touch to what is behind. Ignores presses that started inside, such as a text selection.
   */
  function onClick({ target, currentTarget }: SyntheticEvent) {
    if (target === currentTarget && pressed.current === currentTarget) onClose()
  }

  return (
    // Escape is the keyboard equivalent of a press outside.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      {...attributes}
      ref={element}
      // Closed here, because the close event comes later, possibly after the dialog is open again.
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
