import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { buttonClasses } from '#ui/button.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { MissingAttributes } from './missing-attributes.tsx'
import { Section } from './section.tsx'

/** The way to the page of export, import and backups. */
export function YourData({ id }: { id: string }) {
  return (
    <Section id={id} title={t('Your data')}>
      <LabelledRow
        label={t('Export, import and backups')}
        hint={t('Download and restore everything, spreadsheets, other time trackers, data checks.')}
      >
        <Link to="/data" className={buttonClasses()}>
          {t('Open')}
        </Link>
      </LabelledRow>
      <MissingAttributes />
    </Section>
  )
}
