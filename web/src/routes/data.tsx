import { t } from '@stint/core/text.ts'
import { later } from '#ui/later.tsx'
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
    <div className="flex flex-col gap-8">
      <PageTitle page={t('Your data')} />
      <PageHeader title={t('Your data')} />
      <ProposalsSection />
      <ExportSection />
      <ImportSection />
      <BackupsSection />
      <HealthSection />
    </div>
  )
}
