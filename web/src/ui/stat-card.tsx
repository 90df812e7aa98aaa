import type { ReactNode } from 'react'

/** A row of figures: one quiet panel, hairlines between them. */
export function StatCards({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-flow-row auto-rows-fr grid-cols-[repeat(auto-fit,minmax(min(9rem,45%),1fr))] gap-px overflow-hidden rounded-panel border border-line bg-line">
      {children}
    </dl>
  )
}

/** One figure and its name. */
export function StatCard({
  label,
  value,
  title,
  note,
}: {
  label: string
  value: ReactNode
  /** The exact value, where the shown one is rounded. */
  title?: string | undefined
  note?: ReactNode
}) {
  return (
    <div className="flex flex-col gap-1 bg-surface px-4 py-3.5 md:px-5 md:py-4">
      <dt className="text-xs text-quiet">{label}</dt>
      <dd className="figures text-lg font-semibold md:text-xl" title={title}>
        {value}
      </dd>
      {note && <dd className="text-xs text-quiet">{note}</dd>}
    </div>
  )
}
