import { Link } from 'react-router'
import { buttonClasses } from '#ui/button.tsx'
import type { ReactNode } from 'react'
import { Comparison } from './comparison.tsx'
import { TimerDemo } from './demo.tsx'
import { PublicPage } from './frame.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { MailLink } from './mail-link.tsx'
import { Recovery } from './recovery.tsx'
import { Sample, Section } from './section.tsx'

/** What is known of who is reading. */
export type Reader = 'unknown' | 'signed-in' | 'signed-out'

/** The product's own components on sample data, put in by the route. */
export interface Pictures {
  readonly breakdown: ReactNode
  readonly activity: ReactNode
  readonly task: ReactNode
  readonly install: ReactNode
}

/** The page /. Every claim on it is proved by a test of the product. */
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
          title="Time breakdown"
          text={
            <p>
              A hundred squares are all the time of a week, a month or a year: one square is one
              percent. The ten tasks with most time have a colour each; squares of smaller ones stay
              grey.
            </p>
          }
        >
          <Sample caption="Sample data: November, all tasks">{pictures.breakdown}</Sample>
        </Section>
        <Section
          id="activity"
          title="Activity pattern"
          text={
            <p>
              When you actually worked: seven days of 24 hours, every session where it was, pauses
              hatched. A session over midnight is on both days, with the part that belongs to each.
            </p>
          }
        >
          <Sample caption="Sample data: one task, one week">{pictures.activity}</Sample>
        </Section>
        <Section
          id="task-analytics"
          title="Every task has its page"
          text={
            <>
              <p>
                Total, sessions, average and today. Below them the bars of a week, a month or a
                year, and the last sessions to the minute.
              </p>
              <p>
                The running timer counts as it runs, and every figure on every screen is cut from
                the same entries.
              </p>
            </>
          }
        >
          <Sample caption="Sample data: one task">{pictures.task}</Sample>
        </Section>
        <Section
          id="install"
          title="Install it, or don’t"
          text={
            <p>
              Stint runs in any current browser. Installed, it has its own window and icon, starts
              without a network and costs no app store account.
            </p>
          }
        >
          {pictures.install}
        </Section>
        <Section
          id="contact"
          title="Contact"
          text={<p>A question, a fault, or an account that should be deleted?</p>}
        >
          <p>
            Write to <MailLink address={supportEmail} />.
          </p>
        </Section>
        <Closing />
      </main>
    </PublicPage>
  )
}

/** The way in for this reader. It keeps its place until it is known who reads. */
function Corner({ reader }: { reader: Reader }) {
  const [to, label] =
    reader === 'signed-in' ? ['/dashboard', 'Dashboard'] : ['/signup', 'Get Started']
  return (
    <nav aria-label="Account" className="flex items-center gap-2">
      <Link to="/login" className={`${buttonClasses('quiet')} max-md:hidden`} data-signed-out="">
        Sign in
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
            <span className="block">Press Start.</span> See where your time went.
          </h1>
          <p className="text-pretty text-quiet md:text-lg">
            A time tracker for one person. Create a task, press Start, read your day at a glance. No
            session is lost to a crash, a restart or a dropped connection.
          </p>
        </div>
        <Link
          to="/signup"
          className={`${buttonClasses('primary', 'large')} md:self-start lg:mb-1 lg:self-end`}
        >
          Start Tracking for Free
        </Link>
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
          The first session takes ten seconds.
        </h2>
        <p className="text-quiet">A name for the task, and Start.</p>
      </div>
      <Link to="/signup" className={buttonClasses('primary', 'large')}>
        Get Started for Free
      </Link>
    </section>
  )
}
