import { t } from '@stint/core/text.ts'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { RichText } from '#ui/rich-text.tsx'

/** Says how to reset a password on a server that cannot send email. */
export function ForgottenPasswordDialog({
  open,
  supportEmail,
  onClose,
}: {
  open: boolean
  /** Empty when the server has none. */
  supportEmail: string
  onClose: () => void
}) {
  return (
    <Dialog
      open={open}
      title={t('Forgot your password?')}
      onClose={onClose}
      actions={
        <>
          {supportEmail !== '' && (
            <a
              href={`mailto:${supportEmail}?subject=${encodeURIComponent(t('Stint: I forgot my password'))}`}
              className={buttonClasses('primary')}
            >
              {t('Write to support')}
            </a>
          )}
          <Button onClick={onClose}>{t('Close')}</Button>
        </>
      }
    >
      {supportEmail === '' ? (
        <p>{t('This server can’t send email. Ask your administrator for a reset link.')}</p>
      ) : (
        <p>
          <RichText
            text={t(
              'This server can’t send email. Write to <mail>{address}</mail> from the address of your account and ask for a reset link.',
              { address: supportEmail },
            )}
            tags={{
              mail: (address) => (
                <strong className="font-semibold break-all text-ink">{address}</strong>
              ),
            }}
          />
        </p>
      )}
      <p>{t('Your tasks and sessions are kept.')}</p>
    </Dialog>
  )
}
