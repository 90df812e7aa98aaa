import { X } from 'lucide-react'
import { useId } from 'react'
import type { ReactNode } from 'react'

import { t } from '@stint/core/text.ts'
import { IconButton } from '#ui/icon-button.tsx'

/** A message with actions at the edge of the window. It stays until it is answered or, with `onDismiss`, dismissed. */
export function Nudge({
  title,
  text,
  onDismiss,
  children,
}: {
  title: string
  text?: string
  onDismiss?: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      data-nudge=""
      className="pointer-events-auto flex w-full max-w-96 animate-appear flex-col gap-1 rounded-panel border border-line bg-raised py-1 pe-2 md:gap-2 md:py-2 ps-4 text-sm text-ink shadow-float"
    >
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 pt-2.5 md:py-1.5">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {text !== undefined && <p className="break-words text-quiet">{text}</p>}
        </div>
        {onDismiss && <IconButton icon={X} label={t('Dismiss')} onClick={onDismiss} />}
      </div>
      <div className="flex flex-wrap gap-2 pb-1">{children}</div>
    </section>
  )
}
