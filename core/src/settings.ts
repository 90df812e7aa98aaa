/**
 * The settings of an account. They are stored as its preferences: a flat object on the wire, in
 * which other clients and newer versions may keep further names.
 */
import type { Parts } from '#record/unsent.ts'
import { LANGUAGES } from '#text.ts'
import type { Language } from '#text.ts'
import { HOUR_CYCLES, isKnownTimeZone } from '#time/calendar.ts'
import type { HourCycle } from '#time/calendar.ts'
import { DURATION_FORMATS } from '#time/duration.ts'
import type { DurationFormat } from '#time/duration.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** 'auto': the browser's. */
export type LanguageSetting = 'auto' | Language
export const LANGUAGE_SETTINGS: readonly LanguageSetting[] = ['auto', ...LANGUAGES]

/** After how many hours Stint asks about a running timer; 0: never. */
export const LONG_RUNNING_HOURS = [0, 2, 4, 8] as const
export type LongRunningHours = (typeof LONG_RUNNING_HOURS)[number]

/** After how many minutes without a sign of its owner Stint asks about a running timer; 0: after eight hours. */
export const AWAY_MINUTES = [0, 10, 15, 30, 60, 120, 240] as const
export type AwayMinutes = (typeof AWAY_MINUTES)[number]

export interface PomodoroSettings {
  readonly workMinutes: number
  readonly breakMinutes: number
  readonly longBreakMinutes: number
  /** The number of focus sessions after which the break is a long one. */
  readonly longBreakAfter: number
  readonly sound: boolean
}

export interface Settings {
  readonly language: LanguageSetting
  readonly theme: Theme
  /** Reminders use the browser's notifications, once the browser permits them. */
  readonly notifications: boolean
  /** A break begins by itself when a focus session is over. */
  readonly autoBreak: boolean
  readonly pomodoroMode: boolean
  readonly pomodoro: PomodoroSettings
  readonly hourCycle: HourCycle
  readonly durationFormat: DurationFormat
  /** The first day of a week: 0 Sunday … 6 Saturday. */
  readonly weekStart: number
  /** An IANA zone; null: the browser's. */
  readonly timeZone: string | null
  /** The hour at which a day begins, 0 … 23. Earlier hours count to the day before. */
  readonly dayStartHour: number
  readonly longRunningHours: LongRunningHours
  /** The hour, 0 … 23, after which Stint asks about a running timer; null: never. */
  readonly eveningHour: number | null
  readonly awayMinutes: AwayMinutes
  /** Stint also asks an hour after the usual end of a day, if nothing was seen since. */
  readonly usualEnd: boolean
  /** Notify when a goal is reached. */
  readonly goalReached: boolean
  /** Show the time in the page's title and the timer's state in its icon. */
  readonly timerInTitle: boolean
  /**
   * A timer that is started without the server goes on and is saved later. Otherwise the start
   * fails.
   */
  readonly trackOffline: boolean
  /** Ids of the tasks that come first in Quick Start. */
  readonly pinnedTasks: readonly string[]
  /** Single-key shortcuts are on. Ctrl/Cmd-K works in any case (WCAG 2.1.4). */
  readonly shortcuts: boolean
}

/** A change of some settings. */
export type SettingsChange = Partial<Omit<Settings, 'pomodoro'>> & {
  readonly pomodoro?: Partial<PomodoroSettings>
}

/** An account's preferences on the wire. */
export type Prefs = Readonly<Record<string, unknown>>

/**
 * For `rebase`: each name is a part of its own. The backend does not say when a name was changed,
 * so the local change wins.
 */
export const PREFS: Parts<Prefs> = {
  differing: (one, other) =>
    Object.keys({ ...one, ...other }).filter((name) => {
      return JSON.stringify(one[name]) !== JSON.stringify(other[name])
    }),
  take: (into, from, names) => {
    const taken = { ...into, ...Object.fromEntries(names.map((name) => [name, from[name]])) }
    return Object.fromEntries(Object.entries(taken).filter(([, value]) => value !== undefined))
  },
  all: (prefs) => Object.keys(prefs),
  stamps: () => null,
}

/** The bounds of a focus session and of a break, in minutes. */
export const POMODORO_MINUTES = { min: 1, max: 180 } as const
/** The bounds of the number of focus sessions before a long break. */
export const LONG_BREAK_AFTER = { min: 2, max: 12 } as const

interface Range {
  readonly min: number
  readonly max: number
}

/** The preferences of an account have a limited size. */
const MAX_PINNED = 50
const NOTHING: readonly string[] = []

const HOURS: Range = { min: 0, max: 23 }

/** The names on the wire, which other clients use too. */
const POMODORO_NAMES = {
  workMinutes: 'pomodoroWorkMinutes',
  breakMinutes: 'pomodoroBreakMinutes',
  longBreakMinutes: 'pomodoroLongBreakMinutes',
  longBreakAfter: 'pomodoroLongBreakAfter',
  sound: 'pomodoroSound',
} as const satisfies Record<keyof PomodoroSettings, string>

export const DEFAULT_SETTINGS: Settings = settingsFromPrefs({})

/**
 * Reads an account's preferences. Never throws: a setting that is missing, unknown or invalid gets
 * its default; the others are kept.
 */
export function settingsFromPrefs(prefs: unknown): Settings {
  const values: ReadonlyMap<string, unknown> =
    typeof prefs === 'object' && prefs !== null ? new Map(Object.entries(prefs)) : new Map()
  return {
    language: oneOf('language', LANGUAGE_SETTINGS, 'auto'),
    theme: oneOf('theme', THEMES, 'light'),
    notifications: flag('notifications', true),
    autoBreak: flag('autoBreak', false),
    pomodoroMode: flag('pomodoroMode', false),
    pomodoro: {
      workMinutes: whole(POMODORO_NAMES.workMinutes, POMODORO_MINUTES, 25),
      breakMinutes: whole(POMODORO_NAMES.breakMinutes, POMODORO_MINUTES, 5),
      longBreakMinutes: whole(POMODORO_NAMES.longBreakMinutes, POMODORO_MINUTES, 15),
      longBreakAfter: whole(POMODORO_NAMES.longBreakAfter, LONG_BREAK_AFTER, 4),
      sound: flag(POMODORO_NAMES.sound, true),
    },
    hourCycle: oneOf('hourCycle', HOUR_CYCLES, 24),
    durationFormat: oneOf('durationFormat', DURATION_FORMATS, 'h m'),
    weekStart: whole('weekStart', { min: 0, max: 6 }, 0),
    timeZone: zone('timeZone'),
    dayStartHour: whole('dayStartHour', HOURS, 0),
    longRunningHours: oneOf('longRunningHours', LONG_RUNNING_HOURS, 0),
    eveningHour: whole('eveningHour', HOURS, null),
    awayMinutes: oneOf('awayMinutes', AWAY_MINUTES, 0),
    usualEnd: flag('usualEnd', false),
    goalReached: flag('goalReached', false),
    timerInTitle: flag('timerInTitle', true),
    trackOffline: flag('trackOffline', false),
    pinnedTasks: texts('pinnedTasks', MAX_PINNED),
    shortcuts: flag('shortcuts', true),
  }

  function oneOf<T>(name: string, known: readonly T[], otherwise: T): T {
    const value = values.get(name)
    return known.find((each) => each === value) ?? otherwise
  }

  function flag(name: string, otherwise: boolean): boolean {
    const value = values.get(name)
    return typeof value === 'boolean' ? value : otherwise
  }

  function whole<T>(name: string, { min, max }: Range, otherwise: T): number | T {
    const value = values.get(name)
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= min
    return fits && value <= max ? value : otherwise
  }

  function texts(name: string, most: number): readonly string[] {
    const value = values.get(name)
    if (!Array.isArray(value)) return NOTHING
    return value.filter((each) => typeof each === 'string').slice(0, most)
  }

  function zone(name: string): string | null {
    const value = values.get(name)
    return typeof value === 'string' && isKnownTimeZone(value) ? value : null
  }
}

/**
 * Returns the settings, or those that are given, as preferences. Merge them into the stored
 * preferences: names that Stint does not know must be kept.
 */
export function prefsFromSettings({ pomodoro = {}, ...others }: SettingsChange): Prefs {
  const { workMinutes, breakMinutes, longBreakMinutes, longBreakAfter, sound } = pomodoro
  const prefs: Prefs = {
    ...others,
    [POMODORO_NAMES.workMinutes]: workMinutes,
    [POMODORO_NAMES.breakMinutes]: breakMinutes,
    [POMODORO_NAMES.longBreakMinutes]: longBreakMinutes,
    [POMODORO_NAMES.longBreakAfter]: longBreakAfter,
    [POMODORO_NAMES.sound]: sound,
  }
  return Object.fromEntries(Object.entries(prefs).filter(([, value]) => value !== undefined))
}
