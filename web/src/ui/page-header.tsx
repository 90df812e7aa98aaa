import type { ReactNode } from 'react'

/** The header of a page: its h1, a subtitle and its actions. */
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

/** Two versions of a text by screen width. Only the visible one is exposed to screen readers. */
export function ByWidth({ wide, narrow }: { wide: string; narrow: string }) {
  return (
    <>
      <span className="max-md:hidden">{wide}</span>
      <span className="md:hidden">{narrow}</span>
    </>
  )
}
