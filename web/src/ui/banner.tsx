import { CircleAlert, Info, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

/** An error, announced at once, or a notice. */
export function Banner({
  tone = 'danger',
  children,
  action,
  onRetry,
  onDismiss,
}: {
  tone?: 'danger' | 'notice'
  children: ReactNode
  action?: ReactNode
  /** The action of the Try Again button. */
  onRetry?: (() => void) | undefined
  onDismiss?: () => void
}) {
  const danger = tone === 'danger'
  return (
    <div
      role={danger ? 'alert' : 'status'}
      className={classNames(
        'flex animate-appear items-start gap-x-3 rounded-panel border py-1.5 pe-1.5 ps-3.5 text-sm',
        danger ? 'border-danger/40 bg-danger-soft text-danger' : 'border-line bg-surface text-ink',
      )}
    >
      {/* As high as the button that dismisses it. */}
      <div className="flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 md:min-h-8">
        <div className="flex min-w-0 flex-1 basis-44 gap-3 py-1.5">
          <Icon of={danger ? CircleAlert : Info} className="my-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">{children}</span>
        </div>
        {action}
        {onRetry && (
          <Button size="small" variant="quiet" onClick={onRetry}>
            {t('Try Again')}
          </Button>
        )}
      </div>
      {onDismiss && (
        <IconButton
          icon={X}
          label={t('Dismiss')}
          onClick={onDismiss}
          className={classNames(danger && 'text-danger hover:bg-danger/10 hover:text-danger')}
        />
      )}
    </div>
  )
}
