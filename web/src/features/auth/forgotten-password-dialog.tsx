import { Button, buttonClasses } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'

/** Where to get help when this server sends no mail. */
export function ForgottenPasswordDialog({
  open,
  supportEmail,
  onClose,
}: {
  open: boolean
  /** Empty when nobody said. */
  supportEmail: string
  onClose: () => void
}) {
  return (
    <Dialog
      open={open}
      title="Forgot your password?"
      onClose={onClose}
      actions={
        <>
          {supportEmail !== '' && (
            <a
              href={`mailto:${supportEmail}?subject=${encodeURIComponent('Stint: I forgot my password')}`}
              className={buttonClasses('primary')}
            >
              Write to support
            </a>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <p>This server cannot send email. Ask your administrator for a reset link.</p>
      {supportEmail === '' ? (
        <p>Ask them for a reset link; your tasks and hours are kept.</p>
      ) : (
        <p>
          Write to <strong className="font-semibold break-all text-ink">{supportEmail}</strong> from
          the address of your account and ask for a reset link; your tasks and hours are kept.
        </p>
      )}
    </Dialog>
  )
}
