import { t } from '@stint/core/text.ts'

import { classNames } from '#ui/class-names.ts'
import { Link } from '#ui/navigation.tsx'

/** Says where the record is, and how to keep it. In place of the state of the connection, which a guest needs not. */
export function GuestLine({ className }: { className?: string | undefined }) {
  return (
    <output
      aria-label={t('Connection')}
      className={classNames(
        'flex flex-wrap items-center gap-x-3 text-xs text-quiet md:flex-col md:items-start',
        className,
      )}
    >
      <span>{t('Only on this device')}</span>
      <Link
        to="/signup"
        className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-4 md:min-h-7"
      >
        {t('Create an account to keep it')}
      </Link>
    </output>
  )
}
