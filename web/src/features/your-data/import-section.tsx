import { FileUp } from 'lucide-react'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Form } from '#ui/form.tsx'
import { later } from '#ui/later.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { showToast } from '#ui/toast.tsx'
import { HistoryNotice } from './history-notice.tsx'
import { receiptChanges, receiptsOf } from './import-receipts.ts'
import { readTextFile } from '#hooks/read-text-file.ts'
import { Section } from './section.tsx'
import { useAccountId } from './use-everything.ts'
import { useRecord } from './use-record.ts'

const ImportReceipts = later(
  async () => (await import('./import-receipts-list.tsx')).ImportReceipts,
)
const ImportReview = later(
  async () => (await import('./import-review.tsx')).ImportReview,
  <Spinner className="size-6 text-accent" />,
)

/** The text to import. */
interface Source {
  readonly name: string
  readonly text: string
}

/** Imports files of Stint and of other time trackers, with a preview before anything is saved. */
export function ImportSection() {
  const record = useRecord()
  const [source, setSource] = useState<Source | null>(null)
  const [isBack, setIsBack] = useState(false)
  const account = useAccountId()
  useSyncExternalStore(receiptChanges.subscribe, receiptChanges.get)
  const hasReceipts = receiptsOf(account).length > 0
  return (
    <Section
      id="import"
      title={t('Import')}
      about={t(
        'From Toggl Track, Clockify, Harvest and a dozen other time trackers, calendars, or any table as CSV. You see a preview before anything is saved.',
      )}
    >
      {source === null ? (
        record.status === 'ready' ? (
          <Chooser onChoose={setSource} takesFocus={isBack} />
        ) : (
          <HistoryNotice record={record} />
        )
      ) : (
        <ImportReview
          source={source}
          onClose={() => {
            setSource(null)
            setIsBack(true)
          }}
        />
      )}
      {hasReceipts && <ImportReceipts />}
    </Section>
  )
}

/** Chooses a file by dialog or by drop, or takes pasted text. */
function Chooser({
  onChoose,
  takesFocus,
}: {
  onChoose: (source: Source) => void
  /** True when the review was closed while it had the focus. */
  takesFocus: boolean
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [pastes, setPastes] = useState(false)
  const [pasted, setPasted] = useState('')

  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  async function read(file: File | undefined) {
    if (!file) return
    try {
      onChoose({ name: file.name, text: await readTextFile(file) })
    } catch {
      showToast({ text: t('Couldn’t read {name}.', { name: file.name }), tone: 'danger' })
    }
  }

  return (
    <>
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          void read(event.dataTransfer.files[0])
        }}
        className={classNames(
          'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-panel border border-dashed p-4 text-sm text-quiet transition-colors duration-80 md:p-6',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge',
        )}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.json,.ics,.klg,.org,text/csv,text/plain,text/calendar,application/json"
          className="peer sr-only"
          onChange={(event) => {
            void read(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <label
          htmlFor={id}
          className="inline-flex h-11 cursor-pointer items-center gap-2 rounded-control border border-line bg-surface px-4 font-semibold text-ink outline-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 hover:border-edge hover:bg-wash md:h-9"
        >
          <Icon of={FileUp} />
          {t('Choose a file')}
        </label>
        <span className="max-md:hidden">{t('or drop it here')}</span>
        <Button variant="quiet" aria-expanded={pastes} onClick={() => setPastes(!pastes)}>
          {t('Paste text')}
        </Button>
      </div>
      {pastes && (
        <Form
          onSend={async () => {
            if (pasted.trim() !== '') onChoose({ name: t('Pasted text'), text: pasted })
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
          <Button type="submit">{t('Preview')}</Button>
        </Form>
      )}
    </>
  )
}
