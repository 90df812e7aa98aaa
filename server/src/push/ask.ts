/**
 * What a device is asked and reminded of while the app is closed (core/src/focus/while-closed.ts). A question is one of the
 * account: it is in its preferences, where every device sees it, and whoever is first asks it.
 */
import { isDeepStrictEqual } from 'node:util'
import { askedFromPrefs, openQuestion, prefsFromAsked } from '@stint/core/focus/still-working.ts'
import type { Asked } from '@stint/core/focus/still-working.ts'
import { whileClosed } from '@stint/core/focus/while-closed.ts'
import type { Said, WhileClosed } from '@stint/core/focus/while-closed.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import { changePrefs } from '#accounts/service.ts'
import * as users from '#accounts/users.ts'
import { wirePrefs } from '#accounts/wire.ts'
import { together } from '#api/writes.ts'
import type { Documents } from '#documents/service.ts'
import { ApiError } from '#errors.ts'
import type { Histories } from '#history/histories.ts'
import type { Asked as AskedOfHistory } from '#history/reads.ts'
import type { Services } from '#services.ts'
import type { Database } from '#storage/database.ts'
import type { PushSubscriptionRow } from '#storage/schema.ts'
import { questionTold } from './shown-timer.ts'
import type { Running } from './shown-timer.ts'

/** Returns what a device is asked and reminded of, and asks the account what is due. */
export type Ask = (device: PushSubscriptionRow, running: Running | null) => Promise<WhileClosed>

const NOTHING = { toAsk: null, question: null, reminder: null, next: null } as const
const NO_HISTORY = { usualEnds: [], todaySeconds: 0, goalHours: 0 }

/** Prepares what devices are asked. */
export function createAsk(
  services: Pick<Services, 'db' | 'hub' | 'now'>,
  documents: Documents,
  histories: Histories,
): Ask {
  const { db } = services
  return async (device, running) => {
    const { user_id: owner, time_zone: zone } = device
    const said = saidBy(device)
    const user = running && zone !== null ? await users.findById(db, owner) : undefined
    if (!user || !running || zone === null) return { ...NOTHING, said }
    const prefs = wirePrefs(user)
    const settings = settingsFromPrefs(prefs)
    if (!settings.notifications) return { ...NOTHING, said }
    const now = services.now()
    const dayRule = dayRuleOf(settings.timeZone ?? zone, settings.dayStartHour)
    const { usualEnd, goalReached } = settings
    const about = { timer: running.timer, dayRule, usualEnd, now }
    const history = usualEnd || goalReached ? await historyOf(owner, about) : NO_HISTORY
    const asked = askedFromPrefs(prefs)
    const found = whileClosed({ ...running, ...history, settings, dayRule, asked, said, now })
    if (found.toAsk !== null) await ask(owner, found.toAsk, asked)
    return found
  }

  /** What cannot be read now is not reminded of. */
  function historyOf(owner: string, about: AskedOfHistory<'habits'>) {
    return histories.read('habits', owner, about).catch((error: unknown) => {
      if (error instanceof ApiError) return NO_HISTORY
      throw error
    })
  }

  /** Asks, unless another process or device has asked or the timer has ended in the meantime. */
  async function ask(owner: string, question: Asked, before: Asked | null): Promise<void> {
    await together(documents, owner, async (own) => {
      const session = await own.activeSession()
      const user = await users.lock(own.tx, owner)
      if (!user || session?.$id !== question.sessionId) return
      if (!isDeepStrictEqual(askedFromPrefs(wirePrefs(user)), before)) return
      const asks = (prefs: Prefs) => ({ ...prefs, ...prefsFromAsked(question) })
      own.afterCommit(await changePrefs(services, own.tx, owner, asks))
    })
  }
}

/** Returns the question that a device shows about a running timer, as an instant of the API; null: none is open. */
export async function shownQuestion(
  db: Database,
  device: PushSubscriptionRow | undefined,
  running: Running | null,
): Promise<string | null> {
  const told = device && running ? questionTold(device.told) : null
  if (told === null || !device || !running) return null
  const user = await users.findById(db, device.user_id)
  const open = user ? openQuestion(askedFromPrefs(wirePrefs(user)), running.timer) : null
  return open && instantToWire(open.from) === told ? told : null
}

function saidBy({ said }: PushSubscriptionRow): readonly Said[] {
  return said === null ? [] : JSON.parse(said)
}
