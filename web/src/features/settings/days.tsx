import { t } from '@stint/core/text.ts'
import { browserTimeZone, dateOfDay, fullHour, weekdayName } from '@stint/core/time/calendar.ts'
import { useMemo } from 'react'
import { RichText } from '#ui/rich-text.tsx'
import { useNow } from '#hooks/use-now.ts'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { SelectRow } from './controls.tsx'
import { Section } from './section.tsx'

/** Sunday first. Day 3 is the first Sunday, 1970-01-04. */
const WEEKDAYS = Array.from({ length: 7 }, (_, value) => ({
  value,
  label: weekdayName(dateOfDay(3 + value)),
}))

/** When days and weeks start. */
export function Days({ id }: { id: string }) {
  const { hourCycle, weekStart, timeZone, dayStartHour } = useSettings()
  const change = useChangeSettings()
  const zones = useMemo(() => timeZones(timeZone), [timeZone])
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: hour,
    label: fullHour(hour, hourCycle),
  }))

  return (
    <Section id={id} title={t('Days and weeks')}>
      <SelectRow
        label={t('Week starts on')}
        hint={t('Weeks that start on Monday show their number.')}
        choices={WEEKDAYS}
        value={weekStart}
        onChange={(value) => change({ weekStart: value })}
      />
      <SelectRow
        label={t('Time zone')}
        hint={
          <RichText
            text={t('Sets when your days start and end. The time there is <time>…</time>.')}
            tags={{ time: () => <LocalTime zone={timeZone} /> }}
          />
        }
        choices={zones}
        value={timeZone}
        onChange={(value) => change({ timeZone: value })}
      />
      <SelectRow
        label={t('Day starts at')}
        hint={t('Work before this hour counts towards the previous day.')}
        choices={hours}
        value={dayStartHour}
        onChange={(value) => change({ dayStartHour: value })}
      />
    </Section>
  )
}

/** A separate component, as it re-renders every second while a timer runs. */
function LocalTime({ zone }: { zone: string | null }) {
  const { clockTime } = useFormats()
  return <span className="figures">{clockTime(useNow(), zone ?? browserTimeZone())}</span>
}

/** Returns the browser's own zone, then every zone that it knows, always including the chosen one. */
function timeZones(chosen: string | null) {
  const known = new Set(Intl.supportedValuesOf('timeZone'))
  known.add('UTC')
  if (chosen !== null) known.add(chosen)
  return [
    { value: null, label: t('Browser’s ({zone})', { zone: zoneName(browserTimeZone()) }) },
    ...[...known].toSorted().map((zone) => ({ value: zone, label: zoneName(zone) })),
  ]
}

function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ')
}
