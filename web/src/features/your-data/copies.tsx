import { FileUp } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { LANGUAGE, t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { exportJson } from '@stint/core/transfer/stint-json.ts'
import {
  browserFolder,
  canChooseFolder,
  canKeepCopies,
  chooseFolder,
  chosenFolder,
} from '#copies/copy-folder.ts'
import { copiesIn } from '#copies/local-copies.ts'
import type { KeptCopy } from '#copies/local-copies.ts'
import { useRecord } from '#session/signed-in.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useNow } from '#hooks/use-now.ts'
import { useAccountId, useEverything } from './use-everything.ts'
import { readTextFile } from '#hooks/read-text-file.ts'
import type { RestoreSource } from './restore-dialog.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { later } from '#ui/later.tsx'
import { saveFile } from '#ui/save-file.ts'
import { showToast } from '#ui/toast.tsx'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { COPY_PROBLEMS, copyChanges, lastCopy, noteCopy } from './copy-state.ts'
import type { CopyProblem } from './copy-state.ts'
import { askPermission, permissionOf, pickFolder } from './folder-permission.ts'
import { keepCopy } from './keep-copies.ts'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Section } from './section.tsx'

const RestoreDialog = later(async () => (await import('./restore-dialog.tsx')).RestoreDialog)

/** Downloading everything, restoring from a file, the copies that the app keeps by itself, and the backup of the server. */
export function BackupsSection() {
  const [source, setSource] = useState<RestoreSource | null>(null)
  return (
    <Section
      id="backups"
      title={t('Backups')}
      about={t('Everything in one file, and the copies that Stint keeps by itself.')}
    >
      <div className="divide-y divide-line border-y border-line">
        <DownloadRow />
        <RestoreRow onChoose={setSource} />
        <CopyRows onRestore={setSource} />
        <ServerBackupRow />
      </div>
      {source && <RestoreDialog source={source} onClose={() => setSource(null)} />}
    </Section>
  )
}

function DownloadRow() {
  const { complete } = useEntries()
  const everything = useEverything()

  function download() {
    try {
      const now = Date.now()
      const name = `stint-${new Date(now).toISOString().slice(0, 10)}.json`
      saveFile(name, 'application/json', exportJson(everything(), now))
    } catch {
      showToast({ text: t('The file couldn’t be created. Try again.'), tone: 'danger' })
    }
  }

  return (
    <LabelledRow
      wide
      label={t('All tasks, sessions and settings')}
      hint={t('In one file, from which you can restore them.')}
    >
      <Button disabled={!complete} onClick={download}>
        {complete ? t('Download everything') : t('Loading…')}
      </Button>
    </LabelledRow>
  )
}

function RestoreRow({ onChoose }: { onChoose: (source: RestoreSource) => void }) {
  const { complete } = useEntries()
  const input = useRef<HTMLInputElement>(null)
  return (
    <LabelledRow
      wide
      label={t('Restore from a file')}
      hint={t(
        'Brings back what is missing or was changed since you downloaded everything. You see a preview first.',
      )}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('File to restore from')}
        accept=".json,application/json"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void open(file.name, async () => file, onChoose)
          target.value = ''
        }}
      />
      <Button disabled={!complete} onClick={() => input.current?.click()}>
        <Icon of={FileUp} />
        {t('Choose a backup')}
      </Button>
    </LabelledRow>
  )
}

/** Reads a file to restore from. Shows a toast when it cannot be read. */
async function open(
  name: string,
  file: () => Promise<Blob>,
  onRead: (source: RestoreSource) => void,
): Promise<void> {
  try {
    onRead({ name, text: await readTextFile(await file()) })
  } catch {
    showToast({ text: t('Couldn’t read {name}.', { name }), tone: 'danger' })
  }
}

/** A copy and the folder that it is in. */
interface PlacedCopy extends KeptCopy {
  readonly place: 'browser' | 'folder'
  readonly folder: FileSystemDirectoryHandle
}

interface Found {
  readonly copies: readonly PlacedCopy[]
  /** The chosen folder. */
  readonly folder: FileSystemDirectoryHandle | null
}

function CopyRows({ onRestore }: { onRestore: (source: RestoreSource) => void }) {
  const record = useRecord()
  const account = useAccountId()
  const { complete } = useEntries()
  const [found, reload] = useCopies(account)
  const [isBusy, setIsBusy] = useState(false)
  if (!canKeepCopies()) {
    return (
      <LabelledRow
        label={t('Backups on this device')}
        hint={t('This browser can’t keep copies. Download everything from time to time instead.')}
      />
    )
  }
  if (!found) return null
  const { copies, folder } = found

  /** Changes the folder, then copies at once, so that the folder is seen to work. */
  async function change(next: () => Promise<FileSystemDirectoryHandle | null | undefined>) {
    setIsBusy(true)
    try {
      const chosen = await next()
      if (chosen === undefined) return
      await chooseFolder(account, chosen)
      noteCopy(account, null)
      if (complete) await keepCopy(record, account, new AbortController().signal)
    } catch {
      showToast({ text: t('Couldn’t use this folder. Choose another one.'), tone: 'danger' })
    } finally {
      setIsBusy(false)
      await reload()
    }
  }

  const problem = COPY_PROBLEMS.find((each) => each === lastCopy(account).problem) ?? null
  return (
    <>
      <LabelledRow
        wide
        label={t('Backups on this device')}
        hint={
          folder
            ? t('Stint keeps copies of the last seven days in the folder “{name}”.', {
                name: folder.name,
              })
            : t(
                'Stint keeps copies of the last seven days in this browser, in case the server loses data. Signing out deletes them.',
              )
        }
      >
        {folder ? (
          <Button busy={isBusy} onClick={() => void change(async () => null)}>
            {t('Stop using the folder')}
          </Button>
        ) : (
          canChooseFolder() && (
            <Button
              busy={isBusy}
              onClick={() => void change(async () => (await pickFolder()) ?? undefined)}
            >
              {t('Keep copies in a folder')}
            </Button>
          )
        )}
      </LabelledRow>
      {problem !== null && (
        <div className="py-2">
          <Banner
            tone="notice"
            action={
              problem === 'folder-permission' &&
              folder && (
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() =>
                    void change(async () =>
                      (await askPermission(folder)) === 'granted' ? folder : undefined,
                    )
                  }
                >
                  {t('Allow')}
                </Button>
              )
            }
          >
            {PROBLEMS[problem]}
          </Banner>
        </div>
      )}
      {copies.length === 0 ? (
        <LabelledRow label={<span className="text-quiet">{t('No copies yet.')}</span>} />
      ) : (
        <ul aria-label={t('Backups on this device')} className="divide-y divide-line">
          {copies.map((copy) => (
            <CopyRow key={`${copy.place} ${copy.name}`} copy={copy} onRestore={onRestore} />
          ))}
        </ul>
      )}
    </>
  )
}

const PROBLEMS: Readonly<Record<CopyProblem, string>> = {
  full: t('There was too little storage for the last copy. Free up some space.'),
  failed: t('The last copy couldn’t be written. Stint tries again within an hour.'),
  'folder-permission': t(
    'The browser asks again before Stint may write to the folder. Until then, copies are kept in this browser.',
  ),
  'folder-full': t(
    'The folder’s disk is full. Until there is space, copies are kept in this browser.',
  ),
  'folder-gone': t(
    'The folder can’t be written to. Until it is back, copies are kept in this browser.',
  ),
}

function CopyRow({
  copy: { name, sessions, madeAt, size, place, folder },
  onRestore,
}: {
  copy: PlacedCopy
  onRestore: (source: RestoreSource) => void
}) {
  const { complete } = useEntries()
  const dayRule = useDayRule()
  const { clockTime } = useFormats()
  const now = useNow()
  const when = `${sessionDay(madeAt, now, dayRule)}, ${clockTime(madeAt, dayRule.timeZone)}`
  const facts = [
    t('{count, plural, one {# session} other {# sessions}}', { count: sessions }),
    sizeText(size),
    ...(place === 'folder' ? [t('in {folder}', { folder: folder.name })] : []),
  ]
  const file = async () => (await folder.getFileHandle(name)).getFile()
  return (
    <li>
      <LabelledRow wide label={when} hint={<span className="figures">{facts.join(' · ')}</span>}>
        <Button
          aria-label={t('Download the copy of {when}', { when })}
          onClick={() =>
            void open(name, file, ({ text }) => saveFile(name, 'application/json', text))
          }
        >
          {t('Download')}
        </Button>
        <Button
          aria-label={t('Restore… the copy of {when}', { when })}
          disabled={!complete}
          onClick={() => void open(name, file, onRestore)}
        >
          {t('Restore…')}
        </Button>
      </LabelledRow>
    </li>
  )
}

/** Returns the copies of a user, null before they are read, and a function that reads them again. */
function useCopies(account: string): [Found | null, () => Promise<void>] {
  const [found, setFound] = useState<Found | null>(null)
  const reload = useCallback(async () => {
    setFound(await findCopies(account))
  }, [account])
  useEffect(() => {
    const load = () => void reload()
    load()
    const unsubscribe = copyChanges.subscribe(load)
    // Another tab may have made a copy.
    addEventListener('focus', load)
    return () => {
      unsubscribe()
      removeEventListener('focus', load)
    }
  }, [reload])
  return [found, reload]
}

/** Finds the copies in the browser, and those in the chosen folder if it may be read without asking. */
async function findCopies(account: string): Promise<Found> {
  const folder = await chosenFolder(account).catch(() => null)
  const isReadable = folder !== null && (await permissionOf(folder)) === 'granted'
  const copies = await Promise.all([
    placedCopies(async () => browserFolder(account), account, 'browser'),
    isReadable ? placedCopies(async () => folder, account, 'folder') : [],
  ])
  return { folder, copies: copies.flat().toSorted((a, b) => b.madeAt - a.madeAt) }
}

async function placedCopies(
  find: () => Promise<FileSystemDirectoryHandle>,
  account: string,
  place: PlacedCopy['place'],
): Promise<readonly PlacedCopy[]> {
  try {
    const folder = await find()
    const copies = await copiesIn(folder, account)
    return copies.map((copy) => ({ ...copy, place, folder }))
  } catch {
    // A folder that is gone, or a private window without files, has no copies.
    return []
  }
}

function sizeText(bytes: number): string {
  const isSmall = bytes < 1_000_000
  const digits = { maximumFractionDigits: isSmall ? 0 : 1 }
  const size = Math.max(1, bytes / 1000) / (isSmall ? 1 : 1000)
  const shown = size.toLocaleString(LANGUAGE, digits)
  return isSmall ? t('{size} KB', { size: shown }) : t('{size} MB', { size: shown })
}

/** When Stint's own server last made a backup. */
function ServerBackupRow() {
  const info = useServerInfo()
  const dayRule = useDayRule()
  const { clockTime } = useFormats()
  const now = useNow()
  if (!info) return null
  const { lastBackupAt: at } = info
  const when =
    at === null
      ? t('Not known')
      : at === 'none'
        ? t('The server has made no backup yet')
        : t('{day} at {time}', {
            day: sessionDay(at, now, dayRule),
            time: clockTime(at, dayRule.timeZone),
          })
  return (
    <LabelledRow label={t('Server backup')} wide>
      <span className="figures text-sm text-quiet">{when}</span>
    </LabelledRow>
  )
}
