import { lazy, Suspense } from 'react'
import { PageHeader } from '#ui/page-header.tsx'
import { ExportSection } from '#features/your-data/export-section.tsx'
import { ImportSection } from '#features/your-data/import-section.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

const HealthSection = lazy(() => import('#features/your-data/health-section.tsx'))

/** /data: the whole record, out of Stint and into it, and what is wrong with it. */
export function Component() {
  return (
    <div className="flex flex-col gap-8">
      <PageTitle page="Your data" />
      <PageHeader title="Your data" />
      <ExportSection />
      <ImportSection />
      <Suspense>
        <HealthSection />
      </Suspense>
    </div>
  )
}
