import type { ReactNode } from 'react'

/** The buttons of a form in a dialog, the primary one first. Wide screens show it on the right. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2 pt-1 md:flex-row-reverse md:justify-start">{children}</div>
  )
}
