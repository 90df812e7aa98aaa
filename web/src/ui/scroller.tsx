import type { ReactNode } from 'react'

/** What scrolls in its own place, within the keyboard's reach. */
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
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be within the keyboard's reach
      tabIndex={0}
      className={className}
    >
      {children}
    </section>
  )
}
