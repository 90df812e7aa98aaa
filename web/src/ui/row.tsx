import type { CSSProperties, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { tint } from './tint.ts'

/** A panel of rows with lines between them. */
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

/** The number of a row in its list: 01, 02, … */
export function RowNumber({ place }: { place: number }) {
  return (
    <span className="figures w-6 shrink-0 text-xs text-quiet">
      {String(place).padStart(2, '0')}
    </span>
  )
}

/** A disc in the row's tint; a ring when the row's subject no longer exists. */
export function Dot({ tintName }: { tintName: string | undefined }) {
  const style: CSSProperties = tintName === undefined ? {} : { backgroundColor: tint(tintName) }
  return (
    <span
      aria-hidden="true"
      style={style}
      className={classNames(
        'size-2.5 shrink-0 rounded-full',
        tintName === undefined && 'border border-edge',
      )}
    />
  )
}
