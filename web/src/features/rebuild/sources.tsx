import { GIT_COMMAND } from '@stint/core/traces/git.ts'
import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { RotateCw, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { sayEvents, useSaysEvents } from '#hooks/has-traces.ts'
import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { readTextFile } from '#hooks/read-text-file.ts'
import { mayReadActivityWatch } from '#session/page-policy.ts'
import type { Origin, Source } from '#traces/traces-database.ts'
import { useTraces } from '#hooks/use-traces.ts'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { FileDrop } from '#ui/file-drop.tsx'
import { Form } from '#ui/form.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Panel } from '#ui/row.tsx'
import { Select } from '#ui/select.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { Switch } from '#ui/switch.tsx'
import { showToast } from '#ui/toast.tsx'
import { readActivityWatchHere } from './activity-watch.ts'
import { AddressForm } from './address-form.tsx'
import { canPickFolder, pickRepositories, readRepository } from './repositories.ts'
import { DeviceRow } from './device-row.tsx'
import { useCalendarAddress } from './use-calendar-address.ts'
import type { Text } from './use-take-in.ts'
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
  const files = sources.filter(({ kind }) => kind !== 'presence')
  const device = sources.find(({ kind }) => kind === 'presence')
  return (
    <div className="flex flex-col gap-4">
      <AddSource dayRule={dayRule} now={now} />
      <DeviceRow source={device} now={now} />
      {sources.length > 0 && (
        <Panel className="divide-y divide-line px-4">
          {files.map((source) => (
            <SourceRow key={source.id} source={source} dayRule={dayRule} now={now} />
          ))}
          {sources.some(({ kind }) => kind === 'calendar') && <EventsRow />}
          <LabelledRow
            label={t('Kept on this device only')}
            hint={t('Nothing of this is sent, synced or in a backup. Signing out deletes it.')}
          >
            <Button variant="quiet" onClick={() => void traces.change('removeAll')}>
              {t('Delete all')}
            </Button>
          </LabelledRow>
        </Panel>
      )}
    </div>
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
      <span className="flex items-center gap-1">
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

function messageOf(error: unknown, name: string): string {
  return error instanceof Error ? error.message : t('Couldn’t read {name}.', { name })
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url
}

function offsetText(minutes: number): string {
  if (minutes === 0) return t('Its clock is right')
  const hours = Math.abs(minutes) / 60
  return minutes > 0 ? t('{hours} h later', { hours }) : t('{hours} h earlier', { hours })
}

/** Reads a file that is chosen or dropped, text that is pasted, or the calendar at an address, and says what became of it. */
function AddSource({ dayRule, now }: { dayRule: DayRule; now: number }) {
  const takeIn = useTakeIn(dayRule, now)
  const readAddress = useCalendarAddress()
  const isOwnServer = useIsOwnServer()
  const place = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [form, setForm] = useState<'text' | 'address' | null>(null)
  const [pasted, setPasted] = useState('')
  const [problems, setProblems] = useState<readonly string[]>([])

  async function take(name: string, read: () => Promise<Omit<Text, 'name'>>) {
    try {
      const { problems: found } = await takeIn({ name, ...(await read()) })
      setProblems(
        found.map(({ line, text, why }) => t('Line {line}: {why} “{text}”', { line, why, text })),
      )
      setPasted('')
      if (form !== null) opener.current?.focus()
      setForm(null)
    } catch (error) {
      setProblems([messageOf(error, name)])
    }
  }

  async function takeAddress(url: string) {
    await take(hostOf(url), async () => {
      const { text, ...origin } = await readAddress({ url, etag: null })
      return { text: text ?? '', origin }
    })
  }

  async function takeRepositories() {
    try {
      for (const origin of (await pickRepositories()) ?? [])
        await take(origin.name, async () => ({ text: await readRepository(origin), origin }))
    } catch (error) {
      setProblems([messageOf(error, '')])
    }
  }

  async function copyCommand() {
    if (!place.current) return
    const isCopied = await copyText(GIT_COMMAND, place.current)
    showToast({
      text: isCopied
        ? t('Copied. Run it in a repository, and paste what it prints.')
        : t('Couldn’t copy. Try again.'),
    })
  }

  const takeFile = (file: File) => take(file.name, async () => ({ text: await readTextFile(file) }))
  const openerOf = (kind: 'text' | 'address') => ({
    ref: form === kind ? opener : null,
    'aria-expanded': form === kind,
    onClick: () => setForm(form === kind ? null : kind),
  })
  return (
    <div ref={place} className="flex flex-col gap-3">
      <FileDrop onFile={(file) => void takeFile(file)}>
        <Button variant="quiet" {...openerOf('text')}>
          {t('Paste text')}
        </Button>
        {isOwnServer === true && (
          <Button variant="quiet" {...openerOf('address')}>
            {t('From an address')}
          </Button>
        )}
        {mayReadActivityWatch() && (
          <Button
            variant="quiet"
            onClick={() => void take('ActivityWatch', () => readActivityWatchHere(now))}
          >
            {t('ActivityWatch on this computer')}
          </Button>
        )}
        {canPickFolder() && (
          <Button variant="quiet" onClick={() => void takeRepositories()}>
            {t('Folder of repositories')}
          </Button>
        )}
        <Button variant="quiet" onClick={() => void copyCommand()}>
          {t('Copy the git command')}
        </Button>
      </FileDrop>
      {form === 'address' && <AddressForm onRead={takeAddress} />}
      {form === 'text' && (
        <Form
          onSend={async () => {
            if (pasted.trim() !== '') await take(t('Pasted text'), async () => ({ text: pasted }))
          }}
          className="flex flex-col items-start gap-3 *:first:w-full"
        >
          <TextArea
            label={t('Text of the file')}
            rows={6}
            value={pasted}
            spellCheck={false}
            onChange={(event) => setPasted(event.target.value)}
          />
          <Button type="submit">{t('source|Read')}</Button>
        </Form>
      )}
      {problems.length > 0 && (
        <div role="alert" className="text-sm text-danger">
          {problems.slice(0, 5).map((problem) => (
            <p key={problem} className="wrap-anywhere">
              {problem}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}
