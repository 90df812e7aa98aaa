import { t } from '@stint/core/text.ts'
import { buttonClasses } from '#ui/button.tsx'
import { later } from '#ui/later.tsx'
import { Link } from '#ui/navigation.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { ExportSection } from '#features/your-data/export-section.tsx'
import { ImportSection } from '#features/your-data/import-section.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

const ProposalsSection = later(
  async () => (await import('#features/your-data/proposals-section.tsx')).ProposalsSection,
)
const BackupsSection = later(
  async () => (await import('#features/your-data/copies.tsx')).BackupsSection,
)
const HealthSection = later(
  async () => (await import('#features/your-data/health-section.tsx')).HealthSection,
)

/** /data: export, import, backups and data checks. */
export function Component() {
  return (
    <div className="flex flex-col gap-10 lg:max-w-216">
      <PageTitle page={t('Your data')} />
      <PageHeader
        title={t('Your data')}
        actions={
          <Link to="/settings" className={`${buttonClasses('quiet')} -me-4 md:-me-3.5`}>
            {t('Settings')}
          </Link>
        }
      />
      <ProposalsSection />
      <ExportSection />
      <ImportSection />
      <BackupsSection />
      <HealthSection />
    </div>
  )
}
