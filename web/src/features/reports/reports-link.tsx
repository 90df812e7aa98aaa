import { t } from '@stint/core/text.ts'
import { buttonClasses } from '#ui/button.tsx'
import { Link } from '#ui/navigation.tsx'

/** The way back to Reports, in the head of the pages that it leads to. */
export function ReportsLink() {
  return (
    <Link to="/reports" className={`${buttonClasses('quiet')} -me-4 md:-me-3.5`}>
      {t('Reports')}
    </Link>
  )
}
