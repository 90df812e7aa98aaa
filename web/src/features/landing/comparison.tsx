import { t } from '@stint/core/text.ts'
import { Section } from './section.tsx'

/** Compares Stint with traditional trackers. */
export function Comparison() {
  return (
    <Section
      id="comparison"
      title={t('Not another timesheet')}
      text={
        <p>
          {t(
            'Most trackers are made for invoices and managers. Stint is made for the person doing the work.',
          )}
        </p>
      }
    >
      <table className="w-full text-start text-sm max-md:block">
        <thead className="max-md:sr-only">
          <tr className="border-b border-line text-xs text-quiet">
            <th scope="col" className="w-1/4 py-2 font-normal">
              {t('When you …')}
            </th>
            <th scope="col" className="w-1/3 py-2 pe-6 font-normal">
              {t('Traditional trackers')}
            </th>
            <th scope="col" className="py-2 font-semibold text-ink">
              Stint
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {ROWS.map(([when, others, stint]) => (
            <tr
              key={when}
              className="border-b border-line align-top max-md:flex max-md:flex-col max-md:gap-1.5 max-md:py-4"
            >
              <th scope="row" className="pe-4 font-semibold md:py-3">
                {when}
              </th>
              <td className="pe-6 text-quiet md:py-3">
                <ColumnName>{t('Traditional trackers:')}</ColumnName> {others}
              </td>
              <td className="md:py-3">
                <ColumnName>{t('Stint:')}</ColumnName> {stint}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

/** The column's name in a cell, as phones show no table header. */
function ColumnName({ children }: { children: string }) {
  return <span className="font-semibold md:hidden">{children}</span>
}

const ROWS = [
  [
    t('when you|start'),
    t('Workspace, client, project, tag, then Start'),
    t('Press Start next to the task’s name'),
  ],
  [
    t('when you|take a break'),
    t('Stop, then start a second session later'),
    t('Pause and resume. It stays one session, and the pause doesn’t count'),
  ],
  [
    t('when you|lose the browser'),
    t('The timer existed only on the page'),
    t('The timer is saved before the screen shows it'),
  ],
  [
    t('when you|lose the network'),
    t('Spinners and failed saves'),
    t('Everything works on your device and syncs when you’re back online'),
  ],
  [
    t('when you|change devices'),
    t('Two tabs, two timers'),
    t('One timer on every device; stop on the phone what you started on the laptop'),
  ],
  [
    t('when you|wonder where your data goes'),
    t('To the vendor, and to the vendor’s partners'),
    t('To one server, which can be your own. No third parties'),
  ],
  [
    t('when you|pay'),
    t('Per seat and month, with reports on a higher plan'),
    t('Nothing. Every feature, open source'),
  ],
] as const
