import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Badge } from '#ui/badge.tsx'
import { buttonClasses } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { Panel } from '#ui/row.tsx'
import { Sample, Section } from './section.tsx'

/** The section 'Session recovery': an active timer is recovered up to 4 hours later. */
export function Recovery() {
  return (
    <Section
      id="recovery"
      title={t('Session recovery')}
      text={
        <>
          <p>
            {t(
              'A browser crash or a restart does not end your session. Open Stint again, here or on another device, and the timer is still running, or paused as you left it.',
            )}
          </p>
          <p>
            {t(
              'Up to 4 hours after the start, this is automatic. After that, you choose whether to resume, save or discard the session.',
            )}
          </p>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <Sample>
          <Panel>
            <ol className="text-sm">
              <Event time="09:02" sign={<Badge tone="live">{t('Running')}</Badge>}>
                {t('Client proposal started')}
              </Event>
              <Event time="09:41" sign={<Badge tone="plain">{t('browser|Closed')}</Badge>}>
                {t('The browser crashes and the laptop restarts')}
              </Event>
              <Event time="11:15" sign={<Badge tone="live">{t('Running')}</Badge>}>
                <RichText
                  text={t('Stint reopens with <clock>02:13:00</clock> on the timer')}
                  tags={{ clock: (text) => <b className="figures font-semibold">{text}</b> }}
                />
              </Event>
            </ol>
          </Panel>
        </Sample>
        <Sample caption={t('Sample data: a timer forgotten overnight')}>
          <div className="flex flex-col gap-4 rounded-panel border border-paused bg-surface p-5 text-sm">
            <div className="flex flex-col gap-1">
              <span className="font-semibold text-paused">{t('Unfinished session')}</span>
              <span className="text-base font-semibold">{t('Read papers')}</span>
              <span className="figures text-quiet">
                {t('Running since yesterday, 16:40 · Last seen yesterday, 17:52 · 1h 12m of work')}
              </span>
            </div>
            <div aria-hidden="true" className="flex flex-wrap gap-2">
              <span className={buttonClasses()}>{t('Resume')}</span>
              <span className={buttonClasses('primary')}>{t('Save until')}</span>
              <span className={buttonClasses('quiet')}>{t('Discard')}</span>
            </div>
          </div>
        </Sample>
      </div>
    </Section>
  )
}

function Event({ time, sign, children }: { time: string; sign: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-12 items-center gap-4 border-t border-line px-4 py-2 first:border-t-0">
      <span className="figures text-quiet">{time}</span>
      <span className="grow">{children}</span>
      {sign}
    </li>
  )
}
