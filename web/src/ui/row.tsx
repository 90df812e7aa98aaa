import type { CSSProperties, ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A panel of rows with hairlines between them. */
export function Panel({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={classNames(
        'overflow-hidden rounded-panel border border-line bg-surface',
        className,
      )}
    >
      {children}
    </div>
  )
}

/** 01, 02, … : the place of a row in its list. */
export function RowNumber({ place }: { place: number }) {
  return (
    <span className="figures w-6 shrink-0 text-xs text-quiet">
      {String(place).padStart(2, '0')}
    </span>
  )
}

/** A small disc in a colour that belongs to the row. */
export function Dot({ color }: { color: string }) {
  const style: CSSProperties = { backgroundColor: color }
  return <span aria-hidden="true" style={style} className="size-2.5 shrink-0 rounded-full" />
}
