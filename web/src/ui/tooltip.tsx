import { useId, useState } from 'react'
import type { KeyboardEvent, ReactNode, SyntheticEvent } from 'react'
import { Bubble } from './bubble.tsx'
import { classNames } from './class-names.ts'

/** The props that the trigger must spread. */
export interface TooltipTrigger {
  'aria-describedby': string | undefined
}

/**
 * A tooltip on hover, focus and tap. The pointer can enter it, Escape hides it (WCAG 1.4.13), and it
 * stays inside the window.
 */
export function Tooltip({
  content,
  children,
  className,
}: {
  content: ReactNode
  /** Renders the trigger, which must be focusable. */
  children: (trigger: TooltipTrigger) => ReactNode
  className?: string
}) {
  const id = useId()
  const [anchor, setAnchor] = useState<Element | null>(null)
  const open = ({ currentTarget }: SyntheticEvent) =>
    setAnchor(currentTarget.firstElementChild ?? currentTarget)
  const close = () => setAnchor(null)

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the trigger inside is the control
    <span
      className={classNames('relative', className)}
      onPointerEnter={open}
      onPointerLeave={close}
      onFocus={open}
      onBlur={close}
      onClick={open}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') close()
      }}
    >
      {children({ 'aria-describedby': anchor ? id : undefined })}
      {anchor && (
        <Bubble anchor={anchor} id={id} role="tooltip" className="max-w-64">
          {content}
        </Bubble>
      )}
    </span>
  )
}
