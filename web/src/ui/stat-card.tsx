import { memo } from 'react'
import type { ReactNode } from 'react'

/** A row of figures with lines between them. */
export function StatCards({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line has-[>:nth-child(3):last-child]:grid-cols-3 md:auto-cols-fr md:grid-flow-col md:grid-cols-none md:has-[>:nth-child(3):last-child]:grid-cols-none">
      {children}
    </dl>
  )
}

interface StatCardProps {
  label: string
  value: ReactNode
  /** The exact value of a rounded one. */
  title?: string | undefined
}

/** A figure with its label. Memoised, so that a ticking figure does not re-render the others. */
export const StatCard = memo(function StatCard({ label, value, title }: StatCardProps) {
  return (
    <div className="flex flex-col justify-between gap-1 bg-surface px-3 py-3 max-[22rem]:px-2 md:px-5 md:py-4">
      <dt className="text-xs text-quiet">{label}</dt>
      <dd className="figures text-lg max-[22rem]:text-base md:text-xl" title={title}>
        {value}
      </dd>
    </div>
  )
})
