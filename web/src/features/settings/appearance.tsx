import { t } from '@stint/core/text.ts'
import { DURATION_FORMATS, formatDuration } from '@stint/core/time/duration.ts'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { SegmentedRow, SwitchRow } from './controls.tsx'
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

/** How things are shown. */
export function Appearance({ id }: { id: string }) {
  const { theme, hourCycle, durationFormat, timerInTitle } = useSettings()
  const change = useChangeSettings()

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
      <SwitchRow
        label={t('Show timer in tab title')}
        hint={t('While a timer is running, the tab’s title and icon show it.')}
        checked={timerInTitle}
        onChange={(value) => change({ timerInTitle: value })}
      />
    </Section>
  )
}
