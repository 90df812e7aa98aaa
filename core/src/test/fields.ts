/**
 * A value of every field, other than its default, for tests that pass each field through what copies a thing. They
 * follow from the descriptions: a field that is added is in those tests by itself.
 */
import {
  FLAG,
  INSTANT,
  NUMBER,
  OPTIONAL_FLAG,
  OPTIONAL_ID,
  OPTIONAL_INSTANT,
  OPTIONAL_TEXT,
  PAUSES,
  SECONDS,
  TEXT,
} from '#record/fields.ts'
import type { AnyFields, Field } from '#record/fields.ts'
import { TASK_FIELDS } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import { ENTRY_FIELDS, withTimes } from '#record/time-entry.ts'
import type { SetFields, TimeEntry } from '#record/time-entry.ts'
import { DEFAULT_SETTINGS, prefsFromSettings } from '#settings.ts'
import type { Prefs, Settings } from '#settings.ts'

import { at, MINUTE } from './devices.ts'
import { testEntry } from './entries.ts'

const PAUSE = { start: at(10), end: at(20) }

/** By type of value. A flag is the opposite of its default. */
const VALUES = new Map<unknown, unknown>([
  [TEXT, 'read'],
  [OPTIONAL_TEXT, 'read'],
  [OPTIONAL_FLAG, false],
  [OPTIONAL_ID, 'another'],
  [NUMBER, 5],
  [SECONDS, 7],
  [INSTANT, at(5)],
  [OPTIONAL_INSTANT, at(5)],
  [PAUSES, { intervals: [PAUSE], unplacedSeconds: 60 }],
])

/** Returns a valid value of a field that is not its default. */
export function otherValue({ type, default: none }: Field): unknown {
  if (type === FLAG) return none !== true
  if (!VALUES.has(type)) throw new Error('core/src/test/fields.ts needs a value of this type')
  return VALUES.get(type)
}

function othersOf(fields: AnyFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, otherValue(field)]))
}

/* oxlint-disable typescript/no-unsafe-type-assertion -- the descriptions name each field */
const OTHERS = othersOf(ENTRY_FIELDS) as unknown as TimeEntry

/** A session of the task 'read' with other values in every field, which agree. It is not deleted and has no log. */
export const OTHER_ENTRY: TimeEntry = {
  ...withTimes(OTHERS, at(5), at(50), OTHERS.pauses),
  deletedAt: null,
  log: null,
  id: 'other',
  createdAt: at(51),
  updatedAt: at(51),
}

/** The fields that an edit sets beside the times, with other values. */
export const OTHER_SET = Object.fromEntries(
  Object.entries(ENTRY_FIELDS).flatMap(([key, { set }]) =>
    set === null ? [] : [[key, OTHER_ENTRY[key as keyof TimeEntry]]],
  ),
) as unknown as SetFields

export const OTHER_TASK = {
  ...othersOf(TASK_FIELDS),
  id: 'other',
  isActive: true,
  createdAt: at(-60),
  updatedAt: at(-60),
} as unknown as Task

/** The values of settings that are neither flags nor one of these have to be named. */
const OTHER_SETTINGS: Partial<Settings> = {
  language: 'de',
  theme: 'dark',
  pomodoro: {
    workMinutes: 50,
    breakMinutes: 6,
    longBreakMinutes: 16,
    longBreakAfter: 5,
    sound: false,
  },
  hourCycle: 12,
  durationFormat: 'decimal',
  weekStart: 1,
  timeZone: 'Asia/Kathmandu',
  dayStartHour: 4,
  longRunningHours: 8,
  eveningHour: 20,
  awayMinutes: 30,
  pinnedTasks: ['read'],
}

/** The preferences of an account that has changed every setting. */
export const OTHER_PREFS: Prefs = prefsFromSettings(
  Object.fromEntries(
    Object.entries(DEFAULT_SETTINGS).map(([name, value]) => {
      const other: unknown = OTHER_SETTINGS[name as keyof Settings]
      if (other === undefined && typeof value !== 'boolean')
        throw new Error(`core/src/test/fields.ts needs another value of ${name}`)
      return [name, other ?? value !== true]
    }),
  ),
)
/* oxlint-enable typescript/no-unsafe-type-assertion */

/** When tests that use these are over: after every time in them. */
export const LATER = at(120) + MINUTE

/** The same entry before it was edited. */
export const BASE: TimeEntry = {
  ...testEntry({ id: 'other', start: at(0), end: at(60) }),
  entryType: OTHER_ENTRY.entryType,
}

/** An entry that begins where the other one ends. */
export const LATER_ENTRY = testEntry({ id: 'later', start: at(60), end: at(70) })
