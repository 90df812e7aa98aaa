import { t } from '@stint/core/text.ts'
import { useIsGuest } from '#hooks/use-auth.ts'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { SwitchRow } from './controls.tsx'
import { Section } from './section.tsx'

/** How the timer behaves without a network, and whether single keys control it. */
export function OfflineAndKeyboard({ id }: { id: string }) {
  const { trackOffline, shortcuts } = useSettings()
  const change = useChangeSettings()
  const isGuest = useIsGuest()
  return (
    <Section id={id} title={t('Offline and keyboard')}>
      {/* Without an account there is no server to be reached. */}
      {!isGuest && (
        <SwitchRow
          label={t('Track offline')}
          hint={t('When the server can’t be reached, the timer keeps running and is saved later.')}
          checked={trackOffline}
          onChange={(value) => change({ trackOffline: value })}
        />
      )}
      <SwitchRow
        label={t('Single-key shortcuts')}
        hint={t('Press ? to see them all. Ctrl/Cmd-K always works.')}
        checked={shortcuts}
        onChange={(value) => change({ shortcuts: value })}
      />
    </Section>
  )
}
