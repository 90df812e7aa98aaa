import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'

/** Says that there is a task of that name, with what to do instead as `children`. */
export function SameName({
  name,
  insist,
  onInsist,
  children,
}: {
  name: string
  /** The text of the button that keeps the name. */
  insist: string
  onInsist: () => void
  children: ReactNode
}) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-control border border-line p-3">
      <p className="text-sm break-words">
        {t('You already have a task “{task}”.', { task: name })}
      </p>
      <div className="flex flex-wrap gap-2">
        {children}
        <Button variant="quiet" size="small" onClick={onInsist}>
          {insist}
        </Button>
      </div>
    </div>
  )
}
