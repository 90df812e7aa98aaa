import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { useSessionError } from './use-session-error.ts'

/** The timer's error, with an action if there is one. */
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
