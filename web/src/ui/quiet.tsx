import type { ReactNode } from 'react'

/** A paragraph of secondary text. */
export function Quiet({ children }: { children: ReactNode }) {
  return <p className="text-sm text-quiet">{children}</p>
}
