import type { ReactNode } from 'react'

/** A region that scrolls on its own and can be scrolled by keyboard. */
export function Scroller({
  label,
  className,
  children,
}: {
  label: string
  className: string
  children: ReactNode
}) {
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards can scroll only a focusable region
      tabIndex={0}
      className={className}
    >
      {children}
    </section>
  )
}
