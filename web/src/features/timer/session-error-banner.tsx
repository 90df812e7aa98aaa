import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { useSessionError } from './use-session-error.ts'

/** What went wrong with the timer, and the one thing to do about it. */
export function SessionErrorBanner() {
  const error = useSessionError()
  if (!error) return null
  const { text, action, dismiss } = error
  return (
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
      {text}
    </Banner>
  )
}
