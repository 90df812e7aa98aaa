import { CircleCheck } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { checkHealth, FINDING_KINDS } from '@stint/core/record/data-health.ts'
import type { Finding, FindingKind } from '@stint/core/record/data-health.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import type { OverlapTrim } from '@stint/core/record/trim-overlaps.ts'
import { t } from '@stint/core/text.ts'
import { Quiet } from '#ui/quiet.tsx'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { Panel } from '#ui/row.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { FindingRow } from './finding-row.tsx'
import { changesForAll, FIXED_TOGETHER, KINDS } from './health-words.ts'
import { Section } from './section.tsx'
import { useAcceptedFindings } from '#hooks/use-accepted-findings.ts'
import { TrimOverlaps } from './trim-overlaps.tsx'
import { useRecord } from './use-record.ts'
import { useSparingly } from './use-sparingly.ts'

/** How many findings of a kind are shown at first, and added at a time. */
const PAGE_SIZE = 20

/** Lists likely mistakes in the record with their fixes. Every fix can be undone. */
export function HealthSection() {
  const { status, entries, tasks } = useRecord()
  const { newId, now, change } = useRecordCommands()
  const [checkedAt] = useState(now)
  const { all, checked } = useSparingly(
    useCallback(
      () => ({ all: entries, checked: checkHealth(entries, tasks, checkedAt) }),
      [entries, tasks, checkedAt],
    ),
  )
  const { isAccepted, accept, acceptQuietly, restore } = useAcceptedFindings()
  const findings = useMemo(
    () => checked.filter((finding) => !isAccepted(finding)),
    [checked, isAccepted],
  )
  const accepted = useMemo(() => checked.filter(isAccepted), [checked, isAccepted])
  const [isTrimming, setIsTrimming] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const applied = useRef(new WeakSet<object>())

  /**
   * Applies the fix of a finding, or of all findings of a kind. Repeated presses apply it once. The
   * pressed button disappears, so the focus moves to the list.
   */
  async function applyFix(about: object, changes: readonly EntryChange[], message: string) {
    if (applied.current.has(about)) return
    applied.current.add(about)
    if (await change({ entries: changes }, message)) place.current?.focus()
    else applied.current.delete(about)
  }

  async function trimAll({ trimmed, changes, accepted: stay }: OverlapTrim) {
    setIsTrimming(false)
    // First, so that what stays is not listed again in its new state.
    if (stay.length > 0) await acceptQuietly(stay)
    const message = t('{count, plural, one {# session trimmed} other {# sessions trimmed}}', {
      count: trimmed.length,
    })
    await applyFix(findings, changes, message)
  }

  /** Returns the action on all findings of a kind; null if each needs a decision of its own. */
  function actionOnAll(kind: FindingKind, ofKind: readonly Finding[]) {
    if (ofKind.length < 2) return null
    if (kind === 'overlap') return { label: t('Trim all'), run: () => setIsTrimming(true) }
    if (!FIXED_TOGETHER.has(kind)) return null
    return {
      label: t('Fix all'),
      run: () =>
        void applyFix(
          findings,
          changesForAll(ofKind, newId, now()),
          t('{count, plural, one {# problem fixed} other {# problems fixed}}', {
            count: ofKind.length,
          }),
        ),
    }
  }

  async function acceptIt(finding: Finding) {
    await accept(finding)
    place.current?.focus()
  }

  return (
    <Section
      id="health"
      title={t('Data health')}
      about={t(
        'Finds likely mistakes in your history. Nothing changes without your OK, and every fix can be undone.',
      )}
    >
      <div ref={place} tabIndex={-1} className="flex flex-col gap-6">
        {status !== 'ready' ? (
          <p className="flex items-center gap-3 text-sm text-quiet">
            <Spinner className="size-5" />
            {t('Checks start once your history has loaded.')}
          </p>
        ) : (
          <output aria-label={t('Problems')} className="figures flex items-center gap-2 text-sm">
            {findings.length === 0 && <Icon of={CircleCheck} className="size-5 text-accent" />}
            <span>
              <RichText
                text={t(
                  '<problems>{problems, plural, one {# problem} other {# problems}}</problems> <sessions>in {sessions, plural, one {# session} other {# sessions}}</sessions>',
                  { problems: findings.length, sessions: all.length },
                )}
                tags={{
                  problems: (words) => <span className="font-semibold">{words}</span>,
                  sessions: (words) => <span className="text-quiet">{words}</span>,
                }}
              />
            </span>
          </output>
        )}
        {status === 'ready' &&
          FINDING_KINDS.map((kind) => {
            const ofKind = findings.filter((finding) => finding.kind === kind)
            if (ofKind.length === 0) return null
            return (
              <KindGroup
                key={kind}
                kind={kind}
                findings={ofKind}
                onAll={actionOnAll(kind, ofKind)}
                onFix={(finding, changes, message) => void applyFix(finding, changes, message)}
                onAccept={(finding) => void acceptIt(finding)}
              />
            )
          })}
        {status === 'ready' && accepted.length > 0 && (
          <p className="figures flex flex-wrap items-center gap-x-2 text-sm text-quiet">
            {t('{count, plural, one {# finding dismissed} other {# findings dismissed}}', {
              count: accepted.length,
            })}
            <Button variant="quiet" size="small" onClick={() => void restore(accepted)}>
              {t('Show again')}
            </Button>
          </p>
        )}
      </div>
      {isTrimming && (
        <TrimOverlaps
          findings={findings}
          accepted={accepted}
          entries={all}
          onTrim={(trim) => void trimAll(trim)}
          onClose={() => setIsTrimming(false)}
        />
      )}
    </Section>
  )
}

function KindGroup({
  kind,
  findings,
  onAll,
  onFix,
  onAccept,
}: {
  kind: FindingKind
  findings: readonly Finding[]
  onAll: { readonly label: string; readonly run: () => void } | null
  onFix: Parameters<typeof FindingRow>[0]['onFix']
  onAccept: Parameters<typeof FindingRow>[0]['onAccept']
}) {
  const [listed, setListed] = useState(PAGE_SIZE)
  const { title, about } = KINDS[kind]
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div>
          <h3 className="text-sm font-semibold">
            {title} <span className="figures font-normal text-quiet">{findings.length}</span>
          </h3>
          <Quiet>{about}</Quiet>
        </div>
        {onAll && (
          <Button size="small" onClick={onAll.run}>
            {onAll.label}
          </Button>
        )}
      </header>
      <Panel>
        <ul className="divide-y divide-line">
          {findings.slice(0, listed).map((finding) => (
            <FindingRow key={finding.key} finding={finding} onFix={onFix} onAccept={onAccept} />
          ))}
        </ul>
      </Panel>
      {findings.length > listed && (
        <Button
          variant="quiet"
          size="small"
          className="self-start"
          onClick={() => setListed(listed + PAGE_SIZE)}
        >
          {t('Show {count} more', { count: Math.min(PAGE_SIZE, findings.length - listed) })}
        </Button>
      )}
    </section>
  )
}
