import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { FileDrop } from '#ui/file-drop.tsx'
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
  const input = useRef<HTMLInputElement>(null)
  const [pastes, setPastes] = useState(false)
  const [pasted, setPasted] = useState('')

  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  async function read(file: File) {
    try {
      onChoose({ name: file.name, text: await readTextFile(file) })
    } catch {
      showToast({ text: t('Couldn’t read {name}.', { name: file.name }), tone: 'danger' })
    }
  }

  return (
    <>
      <FileDrop
        inputRef={input}
        accept=".csv,.tsv,.txt,.json,.ics,.klg,.org,text/csv,text/plain,text/calendar,application/json"
        className="md:p-6"
        onFile={(file) => void read(file)}
      >
        <Button variant="quiet" aria-expanded={pastes} onClick={() => setPastes(!pastes)}>
          {t('Paste text')}
        </Button>
      </FileDrop>
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
