import { GIT_COMMAND } from '@stint/core/traces/git.ts'
import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { readTextFile } from '#hooks/read-text-file.ts'
import { mayReadActivityWatch } from '#session/page-policy.ts'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { FileDrop } from '#ui/file-drop.tsx'
import { Form } from '#ui/form.tsx'
import { Panel } from '#ui/row.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { showToast } from '#ui/toast.tsx'
import { readActivityWatchHere } from './activity-watch.ts'
import { AddressForm } from './address-form.tsx'
import { messageOf } from './message-of.ts'
import { canPickFolder, pickRepositories, readRepository } from './repositories.ts'
import { useCalendarAddress } from './use-calendar-address.ts'
import type { Text } from './use-take-in.ts'
import { useTakeIn } from './use-take-in.ts'

/** Reads a file that is chosen or dropped, or from elsewhere, and says what became of it. */
export function AddSource({
  dayRule,
  now,
  onAdded,
}: {
  dayRule: DayRule
  now: number
  /** Called when something was read, all of it. */
  onAdded?: () => void
}) {
  const takeIn = useTakeIn(dayRule, now)
  const readAddress = useCalendarAddress()
  const isOwnServer = useIsOwnServer()
  const place = useRef<HTMLDivElement>(null)
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
      if (found.length === 0) onAdded?.()
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
  return (
    <div ref={place} className="flex flex-col gap-3">
      <FileDrop onFile={(file) => void takeFile(file)} />
      {problems.length > 0 && (
        <div role="alert" className="text-sm text-danger">
          {problems.slice(0, 5).map((problem) => (
            <p key={problem} className="wrap-anywhere">
              {problem}
            </p>
          ))}
        </div>
      )}
      <Panel>
        <ul className="divide-y divide-line">
          {isOwnServer === true && (
            <Way
              label={t('From an address')}
              isOpen={form === 'address'}
              onPress={() => setForm(form === 'address' ? null : 'address')}
            >
              <AddressForm onRead={takeAddress} />
            </Way>
          )}
          {mayReadActivityWatch() && (
            <Way
              label={t('ActivityWatch on this computer')}
              onPress={() => void take('ActivityWatch', () => readActivityWatchHere(now))}
            />
          )}
          {canPickFolder() && (
            <Way label={t('Folder of repositories')} onPress={() => void takeRepositories()} />
          )}
          <Way label={t('Copy the git command')} onPress={() => void copyCommand()} />
          <Way
            label={t('Paste text')}
            isOpen={form === 'text'}
            onPress={() => setForm(form === 'text' ? null : 'text')}
          >
            <Form
              onSend={async () => {
                if (pasted.trim() !== '')
                  await take(t('Pasted text'), async () => ({ text: pasted }))
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
          </Way>
        </ul>
      </Panel>
    </div>
  )
}

/** A row that is pressed, with its form below while it is open. */
function Way({
  label,
  isOpen,
  onPress,
  children,
}: {
  label: string
  isOpen?: boolean
  onPress: () => void
  children?: ReactNode
}) {
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onPress}
        className="flex min-h-12 w-full items-center px-4 text-start transition-colors duration-80 -outline-offset-2 hover:bg-wash"
      >
        {label}
      </button>
      {isOpen && <div className="px-4 pb-4">{children}</div>}
    </li>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url
}
