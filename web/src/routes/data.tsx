import { lazy, Suspense } from 'react'
import { t } from '@stint/core/text.ts'
import { PageHeader } from '#ui/page-header.tsx'
import { ExportSection } from '#features/your-data/export-section.tsx'
import { ImportSection } from '#features/your-data/import-section.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

const ProposalsSection = lazy(() => import('#features/your-data/proposals-section.tsx'))
const HealthSection = lazy(() => import('#features/your-data/health-section.tsx'))

/** /data: export, import and data checks. */
export function Component() {
  return (
    <div className="flex flex-col gap-8">
      <PageTitle page={t('Your data')} />
      <PageHeader title={t('Your data')} />
      <Suspense>
        <ProposalsSection />
      </Suspense>
      <ExportSection />
      <ImportSection />
      <Suspense>
        <HealthSection />
      </Suspense>
    </div>
  )
}
