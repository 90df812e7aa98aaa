import { useState } from 'react'
import type { ReactNode } from 'react'
import { Banner } from '#ui/banner.tsx'
import { later } from '#ui/later.tsx'
import { useSignOutFlow } from './use-sign-out-flow.ts'

/** Loaded lazily: most people never see it. */
export const SignOutDialog = later(
  async () => (await import('./sign-out-dialog.tsx')).SignOutDialog,
)

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
  // Null until the dialog is first opened. Then it stays mounted, so that it can restore the focus.
  const [asking, setAsking] = useState<boolean | null>(null)
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={flow.leaving}
        onClick={() => {
          if (!flow.mustAsk) return void flow.leave('keep')
          setAsking(true)
        }}
      >
        {children}
      </button>
      {asking !== null && (
        <SignOutDialog open={asking} flow={flow} onCancel={() => setAsking(false)} />
      )}
      {flow.error !== null && !asking && <Banner>{flow.error}</Banner>}
    </>
  )
}
