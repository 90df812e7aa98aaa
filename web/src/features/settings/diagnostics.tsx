import { LANGUAGE, t } from '@stint/core/text.ts'
import { localDateTime } from '@stint/core/time/calendar.ts'
import { Check, ChevronDown, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useConnection } from '#hooks/use-connection.ts'
import { useRecord } from '#session/signed-in.ts'

import { useDayRule } from '#hooks/use-settings.ts'
import { diagnose } from './diagnose.ts'
import type { Diagnosis } from './diagnose.ts'
import { reportText } from './diagnostics-report.ts'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { MissingAttributes } from './missing-attributes.tsx'
import { Section } from './section.tsx'

/** The sync state, the local storage and the last events. */
export function Diagnostics({ id }: { id: string }) {
  const { online, unsaved } = useConnection()
  const { complete } = useEntries()
  return (
    <Section id={id} title={t('Diagnostics')}>
      <MissingAttributes />
      <LabelledRow label={t('Sync')} wide>
        <span className="text-sm text-quiet">{syncText(online, unsaved, complete)}</span>
      </LabelledRow>
      {/* The key forces a new diagnosis whenever the stored data may have changed. */}
      <Stored key={`${online} ${unsaved} ${complete}`} />
      <CopyRow online={online} />
    </Section>
  )
}

function Stored() {
  const record = useRecord()
  const { timeZone } = useDayRule()
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null)

  useEffect(() => {
    let gone = false
    void diagnose(record).then((found) => {
      if (!gone) setDiagnosis(found)
    })
    return () => {
      gone = true
    }
  }, [record])

  const events = diagnosis?.events ?? []
  return (
    <>
      <LabelledRow label={t('Stored on this device')} wide>
        <span className="text-sm text-quiet">{diagnosis ? storedText(diagnosis) : '…'}</span>
      </LabelledRow>
      <details className="group py-2.5">
        <summary className="flex min-h-11 list-none items-center justify-between rounded-control md:min-h-9">
          {t('Last events')}
          <Icon of={ChevronDown} className="size-4 text-quiet group-open:rotate-180" />
        </summary>
        <textarea
          readOnly
          aria-label={t('Last events')}
          rows={12}
          value={events
            .toReversed()
            .map(({ at, what }) => `${localDateTime(at, timeZone)}  ${what}`)
            .join('\n')}
          className="figures mt-2 w-full rounded-control border border-line bg-surface px-3 py-2 text-base md:text-sm"
        />
      </details>
    </>
  )
}

function CopyRow({ online }: { online: boolean }) {
  const record = useRecord()
  const server = useServerInfo()
  const place = useRef<HTMLDivElement>(null)
  const [result, setResult] = useState<'copied' | 'failed' | null>(null)

  async function copy() {
    const diagnosis = await diagnose(record)
    if (!place.current) return
    const text = reportText(diagnosis, { online, serverVersion: server?.version ?? null })
    setResult((await copyText(text, place.current)) ? 'copied' : 'failed')
  }

  return (
    <LabelledRow
      label={t('Copy for support')}
      hint={t('Contains states and codes, but no names, notes or passwords.')}
    >
      <div ref={place} className="flex items-center gap-3">
        <output className="text-sm text-quiet">
          {result === 'copied' && t('Copied')}
          {result === 'failed' && t('Couldn’t copy. Your browser blocked the clipboard.')}
        </output>
        <Button aria-label={t('Copy for support')} onClick={() => void copy()}>
          {result === 'copied' ? (
            <Icon of={Check} className="size-4 text-accent" />
          ) : (
            <Icon of={Copy} />
          )}
          {t('Copy')}
        </Button>
      </div>
    </LabelledRow>
  )
}

function syncText(online: boolean, unsaved: number, complete: boolean): string {
  const states = [
    online ? t('Online') : t('Offline'),
    unsaved === 0
      ? t('everything is synced')
      : t('{count, plural, one {# change waiting to sync} other {# changes waiting to sync}}', {
          count: unsaved,
        }),
  ]
  if (!complete) states.push(t('still loading your history'))
  return states.join(', ')
}

function storedText({ tasks, entries, storageBytes, isPersistent, putAside }: Diagnosis): string {
  const facts = [
    t('{count, plural, one {# task} other {# tasks}}', { count: tasks }),
    t('{count, plural, one {# session} other {# sessions}}', { count: entries }),
  ]
  if (storageBytes !== null) facts.push(t('{size} MB', { size: megabytes(storageBytes) }))
  if (isPersistent === true) facts.push(t('kept until you remove it'))
  if (putAside > 0)
    facts.push(
      t('{count, plural, one {# unreadable record} other {# unreadable records}}', {
        count: putAside,
      }),
    )
  return facts.join(', ')
}

/** Returns '0.4'. */
function megabytes(bytes: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false }
  return (bytes / 1_000_000).toLocaleString(LANGUAGE, digits)
}
