import type { ReactNode } from 'react'

/** The buttons under a form in a dialog, the one that does it first: on wide screens to the right. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2 pt-1 md:flex-row-reverse md:justify-start">{children}</div>
  )
}
