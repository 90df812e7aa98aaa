import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { buttonClasses } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'
import type { ReactNode } from 'react'
import { Comparison } from './comparison.tsx'
import { TimerDemo } from './demo.tsx'
import { PublicPage } from './frame.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { SupportLink } from './support-link.tsx'
import { Recovery } from './recovery.tsx'
import { Sample, Section } from './section.tsx'

/** What is known of the reader. */
export type Reader = 'unknown' | 'signed-in' | 'signed-out'

/** The product's own components with sample data. The route provides them. */
export interface Pictures {
  readonly breakdown: ReactNode
  readonly activity: ReactNode
  readonly task: ReactNode
  readonly install: ReactNode
}

/** The page /. A test of the product proves every claim on it. */
export function LandingPage({
  reader,
  supportEmail,
  pictures,
}: {
  reader: Reader
  supportEmail: string
  pictures: Pictures
}) {
  return (
    <PublicPage corner={<Corner reader={reader} />}>
      <main>
        <Hero />
        <HowItWorks />
        <Comparison />
        <Recovery />
        <Section
          id="breakdown"
          title={t('Time breakdown')}
          text={
            <p>
              {t(
                'A hundred squares show a week, a month or a year. Each square is one percent of your time. The ten largest tasks have a colour each; the rest stays grey.',
              )}
            </p>
          }
        >
          <Sample caption={t('Sample data: November, all tasks')}>{pictures.breakdown}</Sample>
        </Section>
        <Section
          id="activity"
          title={t('Activity pattern')}
          text={
            <p>
              {t(
                'See when you actually worked: seven days of 24 hours, with every session in its place and pauses hatched. A session past midnight is split between the two days.',
              )}
            </p>
          }
        >
          <Sample caption={t('Sample data: one task, one week')}>{pictures.activity}</Sample>
        </Section>
        <Section
          id="task-analytics"
          title={t('A page for every task')}
          text={
            <>
              <p>
                {t(
                  'See the total, the sessions, the average and today, a chart of the week, month or year, and recent sessions to the minute.',
                )}
              </p>
              <p>
                {t(
                  'The running timer is included live, and every figure on every screen comes from the same sessions.',
                )}
              </p>
            </>
          }
        >
          <Sample caption={t('Sample data: one task')}>{pictures.task}</Sample>
        </Section>
        <Section
          id="install"
          title={t('Install it, or don’t')}
          text={
            <p>
              {t(
                'Stint runs in any current browser. Installed, it has its own window and icon and starts offline. No app store needed.',
              )}
            </p>
          }
        >
          {pictures.install}
        </Section>
        <Section
          id="contact"
          title={t('Contact')}
          text={<p>{t('Questions, bug reports or account deletion?')}</p>}
        >
          <p>
            <RichText
              text={t('Write to <mail>{address}</mail>.', { address: supportEmail })}
              tags={{ mail: (address) => <SupportLink address={address} /> }}
            />
          </p>
        </Section>
        <Closing />
      </main>
    </PublicPage>
  )
}

/**
 * The link to the app for this reader. Invisible, but with its space reserved, until the reader is
 * known.
 */
function Corner({ reader }: { reader: Reader }) {
  const [to, label] =
    reader === 'signed-in' ? ['/dashboard', t('Dashboard')] : ['/signup', t('Get Started')]
  return (
    <nav aria-label={t('Account')} className="flex items-center gap-2">
      <Link to="/login" className={`${buttonClasses('quiet')} max-md:px-2`} data-signed-out="">
        {t('Sign in')}
      </Link>
      <Link
        to={to}
        className={`${buttonClasses()} ${reader === 'unknown' ? 'invisible noscript:visible' : ''}`}
        data-corner=""
      >
        {label}
      </Link>
    </nav>
  )
}

function Hero() {
  return (
    <div className="flex flex-col gap-8 pt-6 pb-12 md:pt-10 md:pb-16">
      <div className="flex flex-col gap-x-10 gap-y-6 lg:flex-row lg:items-end lg:justify-between">
        <div className="flex max-w-2xl flex-col gap-3">
          <h1 className="text-xl font-semibold tracking-tight md:text-2xl">
            <span className="block">{t('Press Start.')}</span> {t('See where your time went.')}
          </h1>
          <p className="text-pretty text-quiet md:text-lg">
            {t(
              'A time tracker for one person. Create a task, press Start and see your day at a glance. No session is lost to a crash, a restart or a dropped connection.',
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-3 lg:flex-col">
          <Link to="/signup" className={`${buttonClasses('primary', 'large')} max-md:basis-full`}>
            {t('Start Tracking for Free')}
          </Link>
          {/* Hidden where the server says that nobody may (session/page-policy.ts). */}
          <Link
            to="/try"
            className={`${buttonClasses('secondary', 'large')} in-data-proxy:hidden in-data-signup:hidden in-data-[try=off]:hidden max-md:basis-full`}
          >
            {t('Try it now')}
          </Link>
        </div>
      </div>
      <TimerDemo />
    </div>
  )
}

function Closing() {
  return (
    <section
      aria-labelledby="closing-title"
      className="flex flex-col items-start gap-6 border-t border-line py-16 md:flex-row md:items-center md:justify-between md:py-20"
    >
      <div className="flex flex-col gap-1">
        <h2 id="closing-title" className="text-xl font-semibold tracking-tight">
          {t('Start your first session in ten seconds.')}
        </h2>
        <p className="text-quiet">{t('Name a task and press Start.')}</p>
      </div>
      <Link to="/signup" className={buttonClasses('primary', 'large')}>
        {t('Get Started for Free')}
      </Link>
    </section>
  )
}
