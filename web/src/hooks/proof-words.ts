/** What a suggestion says: its proofs, and how certain it is. */
import { t } from '@stint/core/text.ts'
import type { Certainty, Ghost, Proof } from '@stint/core/traces/ghosts.ts'
import type { TraceKind } from '@stint/core/traces/trace.ts'

/** What the words need of the viewer's settings. */
export interface ProofFormats {
  readonly duration: (seconds: number) => string
  /** Formats an instant in epoch milliseconds as a clock time. */
  readonly time: (at: number) => string
}

/** Returns one proof as a line: 'Calendar: Design review, 10:00 – 10:45'. */
export function proofText(proof: Proof, { duration, time }: ProofFormats): string {
  const { kind, where, title, count } = proof
  const worked = duration(Math.round(proof.milliseconds / 60_000) * 60)
  switch (kind) {
    case 'calendar':
      return t('Calendar: {title}, {start} – {end}', {
        title: title || where,
        start: time(proof.from),
        end: time(proof.to),
      })
    case 'git':
      return t('git: {count, plural, one {# commit} other {# commits}} in {where}, “{title}”', {
        count,
        where,
        title,
      })
    case 'activity':
      return t('On screen: {worked} {where}, {title}', { worked, where, title })
    case 'shell':
      return t('Terminal: {worked} in {where}, {title}', { worked, where, title })
    case 'agent':
      return t('Coding agent: {worked} in {where}, {title}', { worked, where, title })
    case 'presence':
      return t('This device: in use {start} – {end}', {
        start: time(proof.from),
        end: time(proof.to),
      })
  }
}

export const CERTAINTY_WORDS: Readonly<Record<Certainty, string>> = {
  certain: t('Certain'),
  likely: t('Likely'),
  guess: t('A guess'),
}

/** Returns why a suggestion is as certain as it is, in two sentences. */
export function whyText({ why }: Ghost): string {
  return `${TIME_WORDS[why.time]} ${TASK_WORDS[why.task]}`
}

const TIME_WORDS: Readonly<Record<Ghost['why']['time'], string>> = {
  event: t('The time is that of the event.'),
  measured: t('The time was measured.'),
  'before-commit': t(
    'The time before a commit is assumed: back to what was before, two hours at most.',
  ),
  presence: t('This device was in use then, and nothing else is known of the day.'),
}

const TASK_WORDS: Readonly<Record<Ghost['why']['task'], string>> = {
  rule: t('A rule says the task.'),
  name: t('The name of the task is in the text.'),
  none: t('No rule says the task yet.'),
}

export const KIND_WORDS: Readonly<Record<TraceKind, string>> = {
  calendar: t('source|Calendar'),
  activity: t('source|Screen'),
  // not translated: a name
  git: 'git',
  shell: t('source|Terminal'),
  agent: t('source|Coding agent'),
  presence: t('source|This device'),
}
