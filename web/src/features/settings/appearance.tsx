import { t } from '@stint/core/text.ts'
import { browserTimeZone, dateOfDay, fullHour, weekdayName } from '@stint/core/time/calendar.ts'
import { DURATION_FORMATS, formatDuration } from '@stint/core/time/duration.ts'
import { useMemo } from 'react'
import { RichText } from '#ui/rich-text.tsx'
import { useNow } from '#hooks/use-now.ts'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { SegmentedRow, SelectRow, SwitchRow } from './controls.tsx'
import { LanguageRow } from './language-row.tsx'
import { Section } from './section.tsx'

const THEMES = [
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
  { value: 'system', label: t('System') },
] as const

const CLOCKS = [
  { value: 24, label: t('24 hours') },
  { value: 12, label: t('12 hours') },
] as const

/** Each format is shown with an example of one hour and five minutes. */
const DURATIONS = DURATION_FORMATS.map((value) => ({ value, label: formatDuration(3900, value) }))

/** Sunday first. Day 3 is the first Sunday, 1970-01-04. */
const WEEKDAYS = Array.from({ length: 7 }, (_, value) => ({
  value,
  label: weekdayName(dateOfDay(3 + value)),
}))

/** Display settings, and when days and weeks start. */
export function Appearance({ id }: { id: string }) {
  const settings = useSettings()
  const change = useChangeSettings()
  const { theme, hourCycle, durationFormat, weekStart, timeZone, dayStartHour } = settings
  const zones = useMemo(() => timeZones(timeZone), [timeZone])
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: hour,
    label: fullHour(hour, hourCycle),
  }))

  return (
    <Section id={id} title={t('Appearance')}>
      <LanguageRow />
      <SegmentedRow
        label={t('Theme')}
        choices={THEMES}
        value={theme}
        onChange={(value) => change({ theme: value })}
      />
      <SegmentedRow
        label={t('Clock')}
        choices={CLOCKS}
        value={hourCycle}
        onChange={(value) => change({ hourCycle: value })}
      />
      <SegmentedRow
        label={t('Durations')}
        hint={t('Example: 1 hour 5 minutes.')}
        choices={DURATIONS}
        value={durationFormat}
        onChange={(value) => change({ durationFormat: value })}
      />
      <SelectRow
        label={t('Week starts on')}
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
      <SwitchRow
        label={t('Show timer in tab title')}
        hint={t('While a timer is running, the tab’s title and icon show it.')}
        checked={settings.timerInTitle}
        onChange={(timerInTitle) => change({ timerInTitle })}
      />
      <SwitchRow
        label={t('Track offline')}
        hint={t('When the server can’t be reached, the timer keeps running and is saved later.')}
        checked={settings.trackOffline}
        onChange={(trackOffline) => change({ trackOffline })}
      />
      <SwitchRow
        label={t('Single-key shortcuts')}
        hint={t('Press ? to see them all. Ctrl/Cmd-K always works.')}
        checked={settings.shortcuts}
        onChange={(shortcuts) => change({ shortcuts })}
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
