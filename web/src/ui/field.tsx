import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

export interface FieldTexts {
  label: string
  /** What is asked for, said before it is needed. */
  hint?: ReactNode
  /** What is wrong and what to do; takes the hint's place in the reading order. */
  error?: string | null | undefined
}

/** The look of everything that can be typed in. 16 px, or phones zoom into it. */
export const CONTROL_CLASSES =
  'h-11 rounded-control border border-edge bg-surface px-3 text-base text-ink placeholder:text-quiet md:h-10 aria-invalid:border-danger transition-colors duration-80 hover:border-quiet'

/** A label above its control, and the hint or the error below it. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: FieldTexts & { id: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold text-ink">
        {label}
      </label>
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

/** The attributes that tie a control to its hint and its error. */
export function describedBy(id: string, texts: Pick<FieldTexts, 'hint' | 'error'>) {
  const ids = [texts.hint !== undefined && `${id}-hint`, texts.error && `${id}-error`].filter(
    Boolean,
  )
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': texts.error ? true : undefined,
  }
}
