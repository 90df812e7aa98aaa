import type { ReactNode } from 'react'

import { classNames } from './class-names.ts'

/**
 * A row with its label on the left, its control on the right, or below on narrow screens. With
 * `controlId`, the label belongs to the control; a group of controls has its own label.
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
  /** True: the control has the full width on phones. */
  wide?: boolean
  children?: ReactNode
}) {
  const name = 'text-ink'
  return (
    <div
      className={classNames(
        'flex min-h-14 items-center justify-between gap-x-6 gap-y-2 py-2.5',
        wide && 'max-md:flex-col max-md:items-stretch',
      )}
    >
      <div className="flex min-w-0 flex-col gap-0.5">
        {controlId === undefined ? (
          <span className={name}>{label}</span>
        ) : (
          <label htmlFor={controlId} className={name}>
            {label}
          </label>
        )}
        {hint !== undefined && (
          <span id={controlId && `${controlId}-hint`} className="text-sm text-quiet">
            {hint}
          </span>
        )}
      </div>
      {children}
    </div>
  )
}
