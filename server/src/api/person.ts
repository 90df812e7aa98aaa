/** The person of a call with a key: their settings, their clock, and the times that they write. */
import type { FastifyRequest } from 'fastify'
import { hoursAccount } from '@stint/core/balance/account.ts'
import type { HoursAccount } from '@stint/core/balance/account.ts'
import { categoryColors } from '@stint/core/record/category.ts'
import type { CategoryColors } from '@stint/core/record/category.ts'
import { savedFilters } from '@stint/core/record/saved-filters.ts'
import type { SavedFilter } from '@stint/core/record/saved-filters.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import type { Prefs, Settings } from '@stint/core/settings.ts'
import { addDays, isKnownTimeZone, localDate } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { readMoment } from '@stint/core/time/time-span-input.ts'
import { wirePrefs } from '#accounts/wire.ts'
import { apiError, description } from '#errors.ts'
import { invalidParam } from '#http/params.ts'
import { parseInstant, STORED_DATES } from '#instant.ts'
import { holderOf } from '#keys/holder.ts'
import type { Services } from '#services.ts'

/** Plain data, which another thread can read. */
export interface Person {
  /** The id of the account. */
  readonly owner: string
  readonly keyId: string
  /** What the timer of another device shows as the place where it was started. */
  readonly device: string
  readonly settings: Settings
  readonly filters: readonly SavedFilter[]
  readonly account: HoursAccount
  /** The preferences, of which rates and choices are read. */
  readonly prefs: Prefs
  readonly categoryColors: CategoryColors
  /** Epoch milliseconds: the moment of the call. */
  readonly now: number
  /** The time zone of the call or of the settings; null: neither names one. */
  readonly timeZone: string | null
}

const MAX_DEVICE_LENGTH = 64

/**
 * Returns the person whose key the request has.
 * @param timeZone the zone that the call names.
 * @throws ApiError general_argument_invalid for an unknown zone.
 */
export function personOf(
  request: FastifyRequest,
  { now }: Pick<Services, 'now'>,
  timeZone: string | null | undefined,
): Person {
  const { user, key } = holderOf(request)
  const prefs = wirePrefs(user)
  const settings = settingsFromPrefs(prefs)
  const zone = timeZone ?? settings.timeZone
  if (zone !== null && !isKnownTimeZone(zone)) {
    throw invalidParam('timeZone', description('time_zone'))
  }
  return {
    owner: user.id,
    keyId: key.id,
    device: key.name.slice(0, MAX_DEVICE_LENGTH),
    settings,
    filters: savedFilters(prefs),
    account: hoursAccount(prefs),
    prefs,
    categoryColors: categoryColors(prefs),
    now: now(),
    timeZone: zone && canonicalZone(zone),
  }
}

/**
 * Returns the person's time zone, and the hour at which their days begin.
 * @throws ApiError stint_time_zone_missing.
 */
export function dayRuleFor({ timeZone, settings }: Person): DayRule {
  if (timeZone === null) throw apiError('stint_time_zone_missing')
  return dayRuleOf(timeZone, settings.dayStartHour)
}

/** Returns one spelling of a zone, because what is computed for a zone is kept by its name. */
function canonicalZone(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
}

const WITH_OFFSET = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i
const HALF_DAY_MILLISECONDS = 43_200_000

/**
 * Reads a moment: an instant with an offset, or what the app reads in its fields, '9:05' and '10m ago', in the person's
 * zone. After midnight, a clock time that is still to come was yesterday.
 * @param name of the parameter, for the refusal.
 * @throws ApiError general_argument_invalid when it is not understood, in the future, or a time that the clocks of the
 * zone skipped; stint_time_zone_missing.
 */
export function momentOf(person: Person, name: string, text: string): number {
  const at = readOrThrow(person, name, text)
  if (at <= person.now) return at
  throw apiError('general_argument_invalid.future', { name })
}

function readOrThrow(person: Person, name: string, text: string): number {
  if (WITH_OFFSET.test(text)) {
    const instant = parseInstant(text, STORED_DATES)
    if (instant === null) throw invalidParam(name, description('moment'))
    return instant
  }
  const { now } = person
  const { timeZone } = dayRuleFor(person)
  const today = localDate(now, dayRuleOf(timeZone))
  const read = readMoment(text, { date: today, timeZone, now })
  if (read.kind === 'problem' && read.skippedSince !== null) throw invalidParam(name, read.message)
  if (read.kind !== 'moment') throw invalidParam(name, description('moment'))
  if (read.at <= now) return read.at
  const before = readMoment(text, { date: addDays(today, -1), timeZone, now })
  const isRecent =
    before.kind === 'moment' && before.at <= now && before.at > now - HALF_DAY_MILLISECONDS
  return isRecent ? before.at : read.at
}
