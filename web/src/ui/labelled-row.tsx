import type { ReactNode } from 'react'

import { classNames } from './class-names.ts'

/**
 * A row with its label and hint on the left, and its control or value on the right. On phones the hint is below
 * both, as wide as the row. With `controlId`, the label belongs to the control; a group of controls has its own label.
 */
export function LabelledRow({
  label,
  hint,
  controlId,
  wide = false,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  controlId?: string
  /** True: on phones the control is below; a field has `grow`. */
  wide?: boolean
  children?: ReactNode
}) {
  const name = classNames('min-w-0 text-ink', wide && 'max-md:col-span-2')
  return (
    <div className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-6 gap-y-0.5 py-2.5">
      <div className="flex flex-col gap-0.5 max-md:contents">
        {controlId === undefined ? (
          <span className={name}>{label}</span>
        ) : (
          <label htmlFor={controlId} className={name}>
            {label}
          </label>
        )}
        {hint !== undefined && (
          <span
            id={controlId && `${controlId}-hint`}
            className="min-w-0 text-sm text-quiet text-pretty max-md:col-span-2"
          >
            {hint}
          </span>
        )}
      </div>
      <div
        className={classNames(
          'flex flex-wrap items-center gap-2 empty:hidden md:justify-end',
          wide ? 'max-md:col-span-2 max-md:mt-1.5' : 'max-md:col-start-2 max-md:row-start-1',
        )}
      >
        {children}
      </div>
    </div>
  )
}
