import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { useSessionError } from './use-session-error.ts'

/**
 * The timer's error, with an action if there is one. It stays in view when the page scrolls, because the
 * timer can be started and paused from anywhere.
 */
export function SessionErrorBanner() {
  const error = useSessionError()
  if (!error) return null
  const { text, action, dismiss } = error
  return (
    <div className="sticky top-4 z-20 mb-6">
      <Banner
        onDismiss={() => void dismiss()}
        action={
          action && (
            <Button size="small" onClick={() => void action.run()}>
              {action.label}
            </Button>
          )
        }
      >
        <span>{text}</span>
        {action?.isSaved && <span> {t('The time until then is saved.')}</span>}
      </Banner>
    </div>
  )
}
