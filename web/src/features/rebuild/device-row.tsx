import { PRESENCE_DAYS, PRESENCE_SOURCE } from '@stint/core/traces/presence.ts'
import { t } from '@stint/core/text.ts'
import { useId } from 'react'

import { useTraces } from '#hooks/use-traces.ts'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Switch } from '#ui/switch.tsx'
import type { Source } from '#traces/traces-database.ts'

/** This device as a source: whether Stint notes on it when it is in use. */
export function DeviceRow({ sources, now }: { sources: readonly Source[]; now: number }) {
  const id = useId()
  const { traces } = useTraces()
  const source = sources.find(({ kind }) => kind === 'presence')
  return (
    <LabelledRow
      label={t('Note when this device is in use')}
      controlId={id}
      hint={
        source && source.count > 0
          ? t(
              '{count, plural, one {# stretch of time} other {# stretches of time}} of the last {days} days. Switching it off deletes them.',
              { count: source.count, days: PRESENCE_DAYS },
            )
          : t(
              'While Stint is open here, for {days} days, on this device only. Switching it off deletes it.',
              { days: PRESENCE_DAYS },
            )
      }
    >
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={source !== undefined}
        onChange={({ target }) =>
          void (target.checked
            ? traces.change('beginPresence', now)
            : traces.change('removeSource', PRESENCE_SOURCE))
        }
      />
    </LabelledRow>
  )
}
