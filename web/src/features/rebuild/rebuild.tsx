import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { t } from '@stint/core/text.ts'
import { localDate } from '@stint/core/time/calendar.ts'
import { useEffect, useRef, useState } from 'react'

import { useMinuteInput } from '#hooks/use-report.ts'
import { useTraces } from '#hooks/use-traces.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/row.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { AddSource } from './add-source.tsx'
import { DeviceRow } from './device-row.tsx'
import { Rules } from './rules.tsx'
import { Sources } from './sources.tsx'
import { Suggestions } from './suggestions.tsx'
import { useSuggestions } from '#hooks/use-suggestions.ts'

/** How many days are looked at, and how many more each press shows. */
const DAYS = 14

/** Days with free time that something is known of, the rules, and the sources on this device. */
export function Rebuild({ input: given }: { input: ReportInput }) {
  const input = useMinuteInput(given)
  const { kept } = useTraces()
  const [count, setCount] = useState(DAYS)
  const days = useSuggestions(input, localDate(input.now, input.dayRule), count)
  const hasSources = kept !== null && !(kept instanceof Error) && kept.sources.length > 0
  const wasEmpty = useRef(false)
  useEffect(() => {
    if (kept === null) return
    // The form of the first source is gone, with the focus that it had.
    if (hasSources && wasEmpty.current && document.activeElement === document.body)
      document.querySelector('main')?.focus({ preventScroll: true })
    wasEmpty.current = !hasSources
  }, [kept, hasSources])
  if (kept === null) return <Skeleton className="h-40 w-full" />
  if (kept instanceof Error) return <p role="alert">{kept.message}</p>
  const { sources, rules } = kept
  if (!hasSources) {
    return (
      <div className="mx-auto flex w-full max-w-2xl flex-col gap-3">
        <EmptyState drawing="clock">
          {t('Fill the hours you forgot from your calendar, git, ActivityWatch or terminal.')}
        </EmptyState>
        <AddSource dayRule={input.dayRule} now={input.now} />
        <Panel className="px-4">
          <DeviceRow sources={sources} now={input.now} />
        </Panel>
        <p className="text-sm text-quiet">
          {t(
            'Files are read on this device and stay here. You see each suggestion and its proof before anything is added.',
          )}
        </p>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-8">
      {days === null ? (
        <Skeleton className="h-40 w-full" />
      ) : days.length === 0 ? (
        <p className="text-quiet">{t('Nothing to suggest in these {count} days.', { count })}</p>
      ) : (
        <Suggestions days={days} input={input} />
      )}
      <Button variant="quiet" className="self-center" onClick={() => setCount(count + DAYS)}>
        {t('Show earlier days')}
      </Button>
      {rules.length > 0 && (
        <section aria-label={t('Rules')} className="flex flex-col gap-3">
          <h2 className="text-base font-semibold">{t('Rules')}</h2>
          <Rules rules={rules} />
        </section>
      )}
      <Sources sources={sources} dayRule={input.dayRule} now={input.now} />
    </div>
  )
}
