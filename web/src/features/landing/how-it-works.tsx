import { Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import { quickStats } from '@stint/core/reports/quick-stats.ts'
import { Quiet } from '#ui/quiet.tsx'
import { Icon } from '#ui/icon.tsx'
import { Badge } from '#ui/badge.tsx'
import { Dot, RowNumber } from '#ui/row.tsx'
import { SAMPLE } from './sample.ts'
import { Section } from './section.tsx'

/** The section 'How it works': create a task, click start, see results. */
export function HowItWorks() {
  const { todaySeconds, weekSeconds, monthSeconds } = quickStats(SAMPLE)
  return (
    <Section
      id="how-it-works"
      title={t('How it works')}
      text={<p>{t('Three steps. You repeat only the second.')}</p>}
    >
      <ol className="grid gap-px overflow-hidden rounded-panel border border-line bg-line md:grid-cols-3">
        <Step
          place={1}
          title={t('Create a task')}
          text={t('All it needs is a name. There are no projects, clients or tags to set up.')}
        >
          <Dot tintName="violet" />
          {t('Website redesign')}
        </Step>
        <Step
          place={2}
          title={t('Click start')}
          text={t('One timer runs at a time. Starting another task saves the current session.')}
        >
          <Icon of={Play} filled />
          {t('Start')}
          <span className="ms-auto">
            <Badge tone="live">{t('Running')}</Badge>
          </span>
        </Step>
        <Step
          place={3}
          title={t('See results')}
          text={t('Days, weeks, months and years add up automatically, in your time zone.')}
        >
          <span className="figures flex grow justify-between gap-2">
            <Figure label={t('Today')} seconds={todaySeconds} />
            <Figure label={t('Week')} seconds={weekSeconds} />
            <Figure label={t('Month')} seconds={monthSeconds} />
          </span>
        </Step>
      </ol>
    </Section>
  )
}

function Step({
  place,
  title,
  text,
  children,
}: {
  place: number
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <li className="flex flex-col gap-4 bg-surface p-5">
      <div className="flex min-h-12 items-center gap-2.5 border-b border-line pb-4 text-sm font-semibold">
        {children}
      </div>
      <div className="flex flex-col gap-1">
        <h3 className="flex items-baseline gap-1 font-semibold">
          <RowNumber place={place} />
          {title}
        </h3>
        <Quiet>{text}</Quiet>
      </div>
    </li>
  )
}

function Figure({ label, seconds }: { label: string; seconds: number }) {
  return (
    <span className="flex flex-col">
      <span className="text-xs font-normal text-quiet">{label}</span>
      {formatDuration(seconds, 'h:mm')}
    </span>
  )
}
