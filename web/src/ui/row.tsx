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

/** A link in a row that is `relative`: the whole row is pressed and has the focus ring. */
export const ROW_LINK =
  'min-w-0 flex-1 outline-none after:absolute after:inset-0 focus-visible:after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'

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
