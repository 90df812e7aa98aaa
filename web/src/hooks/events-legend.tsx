import { t } from '@stint/core/text.ts'

import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { showCalendar, useShowsCalendar } from './has-traces.ts'

/** What hides and shows the events of calendars, wherever they are drawn. */
export function EventsSwitch() {
  const isShown = useShowsCalendar()
  return (
    <Button
      variant="quiet"
      size="small"
      onClick={() => showCalendar(!isShown)}
      className="print:hidden"
    >
      {isShown ? t('Hide events') : t('Show events')}
    </Button>
  )
}

/** The same beside a chart, after a swatch of its drawing of events and what that is. */
export function EventsLegend({ name, swatch }: { name: string; swatch: string }) {
  const isShown = useShowsCalendar()
  return (
    <span className="inline-flex items-center gap-1.5">
      {isShown && (
        <>
          <span aria-hidden="true" className={classNames('h-3 w-5', swatch)} />
          {name}
        </>
      )}
      <EventsSwitch />
    </span>
  )
}
