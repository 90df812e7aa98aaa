import type { ReactNode } from 'react'

/** The head of a page: its one h1, a quiet line, and what can be done here. */
export function PageHeader({
  title,
  subtitle,
  actions,
}: {
  title: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
}) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {subtitle && <p className="text-quiet">{subtitle}</p>}
      </div>
      {actions}
    </header>
  )
}

/** A text that is shorter on phones. Only the one that is seen is there for readers. */
export function ByWidth({ wide, narrow }: { wide: string; narrow: string }) {
  return (
    <>
      <span className="max-md:hidden">{wide}</span>
      <span className="md:hidden">{narrow}</span>
    </>
  )
}
