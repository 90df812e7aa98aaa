import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { Plus, RotateCw, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { sayEvents, useSaysEvents } from '#hooks/has-traces.ts'
import type { Origin, Source } from '#traces/traces-database.ts'
import { useTraces } from '#hooks/use-traces.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Panel } from '#ui/row.tsx'
import { Select } from '#ui/select.tsx'
import { Switch } from '#ui/switch.tsx'
import { showToast } from '#ui/toast.tsx'
import { readActivityWatchHere } from './activity-watch.ts'
import { AddSource } from './add-source.tsx'
import { DeviceRow } from './device-row.tsx'
import { messageOf } from './message-of.ts'
import { readRepository } from './repositories.ts'
import { useCalendarAddress } from './use-calendar-address.ts'
import { useTakeIn } from './use-take-in.ts'
import { KIND_WORDS } from '#hooks/proof-words.ts'

/** What was read on this device, what takes more in, and what deletes it. */
export function Sources({
  sources,
  dayRule,
  now,
}: {
  sources: readonly Source[]
  dayRule: DayRule
  now: number
}) {
  const { traces } = useTraces()
  const add = useRef<HTMLButtonElement>(null)
  const [isAdding, setIsAdding] = useState(false)
  const files = sources.filter(({ kind }) => kind !== 'presence')
  return (
    <section aria-label={t('Sources')} className="flex flex-col gap-3">
      <header className="flex items-center justify-between gap-4">
        <h2 className="text-base font-semibold">{t('Sources')}</h2>
        <Button ref={add} aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
          <Icon of={Plus} />
          {t('Add source')}
        </Button>
      </header>
      {isAdding && (
        <AddSource
          dayRule={dayRule}
          now={now}
          onAdded={() => {
            add.current?.focus()
            setIsAdding(false)
          }}
        />
      )}
      <Panel className="divide-y divide-line px-4">
        {files.map((source) => (
          <SourceRow key={source.id} source={source} dayRule={dayRule} now={now} />
        ))}
        <DeviceRow sources={sources} now={now} />
        {sources.some(({ kind }) => kind === 'calendar') && <EventsRow />}
        <LabelledRow
          label={t('Kept on this device only')}
          hint={t('Nothing of this is sent, synced or in a backup. Signing out deletes it.')}
        >
          <Button onClick={() => void traces.change('removeAll')}>{t('Delete all')}</Button>
        </LabelledRow>
      </Panel>
    </section>
  )
}

function EventsRow() {
  const id = useId()
  return (
    <LabelledRow label={t('Tell me when an event begins while a timer runs')} controlId={id}>
      <Switch
        id={id}
        checked={useSaysEvents()}
        onChange={({ target }) => sayEvents(target.checked)}
      />
    </LabelledRow>
  )
}

const HALF_HOURS = Array.from({ length: 2 * 24 + 1 }, (_, index) => (index - 24) * 30)

function SourceRow({ source, dayRule, now }: { source: Source; dayRule: DayRule; now: number }) {
  const id = useId()
  const { traces } = useTraces()
  const { name, kind, count, bytes, readAt, offsetMinutes, origin } = source
  const readAddress = useCalendarAddress()
  const takeIn = useTakeIn(dayRule, now)
  const about = t('{kind} · {count, plural, one {# item} other {# items}} · {size} KB · {day}', {
    kind: KIND_WORDS[kind],
    count,
    size: Math.ceil(bytes / 1024),
    day: sessionDay(readAt, now, dayRule),
  })

  async function readAgain(before: Origin) {
    try {
      const { text, origin: next } = await textAt(before)
      if (text === null) showToast({ text: t('Nothing has changed in {name}.', { name }) })
      else await takeIn({ name, text, origin: next })
    } catch (error) {
      showToast({ text: messageOf(error, name), tone: 'danger' })
    }
  }

  /** Reads it where it was read before; a text of null: nothing has changed. */
  async function textAt(before: Origin): Promise<{ text: string | null; origin: Origin }> {
    if ('since' in before) return readActivityWatchHere(now)
    if (!('url' in before)) return { text: await readRepository(before), origin: before }
    const { text, ...address } = await readAddress(before)
    return { text, origin: address }
  }

  return (
    <LabelledRow label={<span dir="auto">{name}</span>} hint={about} wide>
      <span className="flex grow items-center gap-1">
        <label htmlFor={id} className="sr-only">
          {t('Clock of {name}', { name })}
        </label>
        <Select
          id={id}
          className="max-md:flex-1"
          value={String(offsetMinutes)}
          onChange={({ target }) =>
            void traces.change('setOffset', source.id, Number(target.value))
          }
        >
          {HALF_HOURS.map((minutes) => (
            <option key={minutes} value={minutes}>
              {offsetText(minutes)}
            </option>
          ))}
        </Select>
        {origin && (
          <IconButton
            icon={RotateCw}
            label={t('Read {name} again', { name })}
            onClick={() => void readAgain(origin)}
          />
        )}
        <IconButton
          icon={Trash2}
          label={t('Delete {name}', { name })}
          onClick={() => void traces.change('removeSource', source.id)}
        />
      </span>
    </LabelledRow>
  )
}

function offsetText(minutes: number): string {
  if (minutes === 0) return t('Its clock is right')
  const hours = Math.abs(minutes) / 60
  return minutes > 0 ? t('{hours} h later', { hours }) : t('{hours} h earlier', { hours })
}
