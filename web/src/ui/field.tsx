import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

export interface FieldTexts {
  label: string
  /** What to enter, shown before there is an error. */
  hint?: ReactNode
  /** What is wrong and how to fix it. */
  error?: string | null | undefined
}

/** The style of every text control. Its font is 16 px, as phones zoom in on smaller ones. */
export const CONTROL_CLASSES =
  'h-11 rounded-control border border-edge bg-surface px-3 text-base text-ink placeholder:text-quiet md:h-10 aria-invalid:border-danger transition-colors duration-80 hover:border-quiet'

/**
 * A label above its control, with the hint and the error below it. `reading` is what a typed text
 * means; it is beside the label, so that nothing below moves when it comes and goes.
 */
export function Field({
  id,
  label,
  hint,
  error,
  reading,
  children,
}: FieldTexts & { id: string; reading?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="text-sm font-semibold text-ink">
          {label}
        </label>
        {reading !== undefined && (
          <output htmlFor={id} className="figures min-w-0 truncate text-sm text-quiet">
            {reading}
          </output>
        )}
      </div>
      {children}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </div>
      )}
      <p
        id={`${id}-error`}
        role="alert"
        className="flex items-start gap-1.5 text-sm text-danger empty:hidden"
      >
        {error && (
          <>
            <Icon of={CircleAlert} className="mt-0.5 size-4 shrink-0" />
            <span>{error}</span>
          </>
        )}
      </p>
    </div>
  )
}

/** Returns the attributes that link a control to its hint and its error. */
export function describedBy(id: string, texts: Pick<FieldTexts, 'hint' | 'error'>) {
  const ids = [texts.hint !== undefined && `${id}-hint`, texts.error && `${id}-error`].filter(
    Boolean,
  )
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': texts.error ? true : undefined,
  }
}
