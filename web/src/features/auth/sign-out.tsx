import { useState } from 'react'
import type { ReactNode } from 'react'
import { useIsGuest } from '#hooks/use-auth.ts'
import { Banner } from '#ui/banner.tsx'
import { later } from '#ui/later.tsx'
import { useSignOutFlow } from './use-sign-out-flow.ts'

/** Loaded lazily: most people never see it. */
export const SignOutDialog = later(
  async () => (await import('./sign-out-dialog.tsx')).SignOutDialog,
)

/** In place of it, for who has no account. */
export const LeaveDialog = later(async () => (await import('./leave-dialog.tsx')).LeaveDialog)

/** The Sign Out button. It asks for confirmation when a timer runs or changes are unsaved. */
export function SignOutButton({
  thisDeviceOnly = false,
  className,
  children,
}: {
  thisDeviceOnly?: boolean
  className?: string
  children: ReactNode
}) {
  const flow = useSignOutFlow(thisDeviceOnly)
  const isGuest = useIsGuest()
  // Null until the dialog is first opened. Then it stays mounted, so that it can restore the focus.
  const [asking, setAsking] = useState<boolean | null>(null)
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={flow.leaving}
        onClick={() => {
          if (!flow.mustAsk && !isGuest) return void flow.leave('keep')
          setAsking(true)
        }}
      >
        {children}
      </button>
      {asking !== null && isGuest && (
        <LeaveDialog open={asking} onCancel={() => setAsking(false)} />
      )}
      {asking !== null && !isGuest && (
        <SignOutDialog open={asking} flow={flow} onCancel={() => setAsking(false)} />
      )}
      {flow.error !== null && !asking && <Banner>{flow.error}</Banner>}
    </>
  )
}
