/**
 * Sends everything that the backend lacks: sessions and edits. What is sent stays unsent until the
 * backend has acknowledged it, and each call can be repeated.
 */
import { codesOf, noteEvent } from '#diagnostics/event-log.ts'
import { t } from '@stint/core/text.ts'
import type { Edit } from '@stint/core/device/stored.ts'
import { nextEdits, nextNewTask, refuseEdits } from '@stint/core/device/unsent-edits.ts'
import {
  failAwaited,
  nextSession,
  noteAttempt,
  refuseSession,
} from '@stint/core/device/unsent-sessions.ts'
import type { UnsentSession } from '@stint/core/device/unsent-sessions.ts'
import { isTypedOn } from '@stint/core/device/unsaved.ts'
import { BackendError, isTemporary } from '#backend/errors.ts'

import type { Round, SyncContext } from './context.ts'
import { confirmClock, reconcile } from './reconcile.ts'
import { refusalOf, sendEdits } from './send-edits.ts'
import { sendSession } from './send-session.ts'

/**
 * How long a press that cannot be sent waits before it fails, in milliseconds. When a page is left, its
 * requests end a moment before it, and the next page sends the press again.
 */
const LEAVING_MILLISECONDS = 2000

/** How often one session or entry is sent in a round. A stop takes four steps, and others may write as well. */
const MAX_STEPS = 20

/** The next step of sending: a session, or edits of one kind. */
type Step = { readonly session: UnsentSession } | { readonly edits: readonly Edit[] }

/**
 * Sends until the backend has everything that it would accept. Must run under the sync lock of the record.
 * Rejects with BackendError when something waits, until the backend answers or its user has signed in.
 */
export async function sendAll(context: SyncContext): Promise<void> {
  await sendRound(newRound(context))
}

/** Sends and reconciles, until neither adds work. Otherwise like `sendAll`. */
export async function sendAndReconcile(context: SyncContext): Promise<void> {
  // The clock is requested first, so that times are right from the first Start on.
  await context.backend.serverInfo().catch(() => null)
  const round = newRound(context)
  do {
    await sendRound(round)
    await reconcile(round)
  } while (nextStep(round))
}

function newRound(context: SyncContext): Round {
  return { ...context, asked: new Set(), alone: new Set(), written: new Set(), steps: new Map() }
}

async function sendRound(round: Round): Promise<void> {
  // Another tab may have sent some of it already.
  await round.record.refresh()
  for (;;) {
    const unconfirmed = await errorOf(confirmClock(round))
    const step = nextStep(round)
    if (!step) return
    countStep(round, step)
    const error = unconfirmed ?? (await errorOf(sendStep(round, step)))
    if (!error) continue
    if (error.kind === 'signed-out') {
      await failPresses(round, error)
      throw error
    }
    // The entries have used up their rate limit. A timer still has writes left.
    const isPaced = error.kind === 'rate-limited' && isEntries(step)
    if (isPaced && !isEntries(nextStep(round))) continue
    if (isTemporary(error)) {
      // This does not end when the page is being left.
      if (error.kind === 'unreachable' && navigator.onLine && isPressAwaited(round))
        await round.wait(LEAVING_MILLISECONDS)
      const isAwaited = isPressAwaited(round)
      await failPresses(round, error)
      // The failure has added other work: a stop to save, or a question to keep.
      if (isAwaited) continue
      if ('session' in step)
        await round.record.takeIn((draft) => noteAttempt(draft, step.session.session.id))
      throw error
    }
    await refuse(round, step, error)
  }
}

function sendStep(round: Round, step: Step): Promise<void> {
  return 'edits' in step ? sendEdits(round, step.edits) : sendSession(round, step.session)
}

/** Counts a step. Throws BackendError when a thing was sent too often: the rest waits for a later round. */
function countStep({ alone, steps }: Round, step: Step): void {
  const all = 'edits' in step ? step.edits.map(({ id }) => id) : [step.session.session.id]
  // Of those that are sent one by one, only the first is sent.
  const ids = all.filter((id, index) => index === 0 || !alone.has(id))
  for (const id of ids) {
    const count = (steps.get(id) ?? 0) + 1
    // not translated: no screen shows it
    if (count > MAX_STEPS)
      throw new BackendError('failed', 'The server does not keep what it is sent')
    steps.set(id, count)
  }
}

/**
 * Returns the next step. A timer never waits behind an import, but its task must exist first. A note
 * that was typed on while it was sent waits for the next round, because a sent event never changes.
 */
function nextStep({ record: { view }, alone, written }: Round): Step | null {
  const newTask = nextNewTask(view)
  if (newTask.length > 0) return { edits: newTask }
  const unsent = nextSession(view)
  const isNextRounds = unsent && written.has(unsent.session.id) && isTypedOn(view, unsent.session)
  if (unsent && !isNextRounds) return { session: unsent }
  const edits = nextEdits(view, alone)
  return edits.length > 0 ? { edits } : null
}

function isEntries(step: Step | null): boolean {
  return step !== null && 'edits' in step && step.edits[0]?.kind === 'entry'
}

/** Returns the error of the backend, or null. */
function errorOf(work: Promise<void>): Promise<BackendError | null> {
  return work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof BackendError) return error
      throw error
    },
  )
}

/** Returns whether the user waits for the result of a press. */
function isPressAwaited({ record }: Round): boolean {
  return record.view.sessions.all().some(({ awaited }) => awaited !== null)
}

function failPresses({ record }: Round, error: BackendError): Promise<void> {
  return record.takeIn((draft) => failAwaited(draft, startFailedText(error)))
}

/** Keeps work that the backend will never accept. It is counted and shown, and never dropped silently. */
async function refuse(round: Round, step: Step, error: BackendError): Promise<void> {
  const refusal = refusalOf(error)
  const isAwaited = 'session' in step && step.session.session.awaited !== null
  await round.record.takeIn((draft) => {
    if ('edits' in step) return refuseEdits(draft, step.edits, refusal)
    failAwaited(draft, startFailedText(error))
    if (!isAwaited) refuseSession(draft, step.session.session.id, refusal)
  })
  const what = 'edits' in step ? step.edits[0]?.kind : 'session'
  if (!isAwaited) noteEvent(`refused: ${what ?? ''}, ${codesOf(error)}`)
}

/** Returns 'Timer stopped: …' for a failed start, by the kind of the error or by words in its message. */
function startFailedText({ kind, message }: BackendError): string {
  if (kind === 'over-quota') return t('Timer stopped: Storage on the server is used up')
  if (kind === 'signed-out' || kind === 'forbidden') return t('Timer stopped: Authentication error')
  if (kind === 'unreachable' || /network|fetch/i.test(message))
    return t('Timer stopped: No internet connection detected')
  if (/session/i.test(message)) return t('Timer stopped: Could not create session')
  if (/auth/i.test(message)) return t('Timer stopped: Authentication error')
  return t('Timer stopped: Unknown error occurred')
}
