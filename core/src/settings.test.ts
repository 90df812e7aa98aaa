import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  AWAY_MINUTES,
  DEFAULT_SETTINGS,
  LANGUAGE_SETTINGS,
  prefsFromSettings,
  settingsFromPrefs,
} from './settings.ts'
import type { Settings } from './settings.ts'

test('Settings have their defaults until they are changed', () => {
  expect(settingsFromPrefs({})).toEqual({
    language: 'auto',
    theme: 'light',
    notifications: true,
    autoBreak: false,
    pomodoroMode: false,
    pomodoro: {
      workMinutes: 25,
      breakMinutes: 5,
      longBreakMinutes: 15,
      longBreakAfter: 4,
      sound: true,
    },
    hourCycle: 24,
    durationFormat: 'h m',
    weekStart: 0,
    timeZone: null,
    dayStartHour: 0,
    longRunningHours: 0,
    eveningHour: null,
    awayMinutes: 0,
    usualEnd: false,
    goalReached: false,
    timerInTitle: true,
    trackOffline: false,
    shortcuts: true,
    pinnedTasks: [],
  })
})

test.each([
  null,
  undefined,
  'dark',
  7,
  ['dark'],
  {
    language: 'de-CH',
    theme: 'sepia',
    weekStart: 7,
    dayStartHour: 1.5,
    hourCycle: '12',
    timeZone: 'Mars/Olympus',
  },
  { notifications: 'yes', pomodoroWorkMinutes: 0, eveningHour: 24, longRunningHours: 3 },
  { theme: null, durationFormat: {}, pomodoro: { workMinutes: 50 } },
  { pinnedTasks: 'task-1' },
])('Settings that cannot be read have their defaults: %j', (prefs) => {
  expect(settingsFromPrefs(prefs)).toEqual(DEFAULT_SETTINGS)
})

test('Settings keep the values that can be read beside those that cannot', () => {
  const settings = settingsFromPrefs({ theme: 'dark', weekStart: 'Monday', eveningHour: 0 })
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', eveningHour: 0 })
})

test('Settings are sent as a flat object, under the names that other clients know', () => {
  expect(prefsFromSettings(DEFAULT_SETTINGS)).toMatchObject({
    theme: 'light',
    notifications: true,
    autoBreak: false,
    pomodoroMode: false,
  })
  for (const value of Object.values(prefsFromSettings(DEFAULT_SETTINGS))) {
    expect(value === null || Array.isArray(value) || typeof value !== 'object').toBe(true)
  }
})

test('A change of settings is sent with the changed names alone', () => {
  expect(prefsFromSettings({ timeZone: null })).toEqual({ timeZone: null })
  expect(prefsFromSettings({ pomodoro: { sound: false } })).toEqual({ pomodoroSound: false })
})

test('Settings are read back as they were sent', () => {
  // A new setting does not compile without its values.
  const settings = fc.record<Settings>({
    language: fc.constantFrom(...LANGUAGE_SETTINGS),
    theme: fc.constantFrom('light' as const, 'dark' as const, 'system' as const),
    notifications: fc.boolean(),
    autoBreak: fc.boolean(),
    pomodoroMode: fc.boolean(),
    pomodoro: fc.record({
      workMinutes: fc.integer({ min: 1, max: 180 }),
      breakMinutes: fc.integer({ min: 1, max: 180 }),
      longBreakMinutes: fc.integer({ min: 1, max: 180 }),
      longBreakAfter: fc.integer({ min: 2, max: 12 }),
      sound: fc.boolean(),
    }),
    hourCycle: fc.constantFrom(12 as const, 24 as const),
    durationFormat: fc.constantFrom('h m' as const, 'h:mm' as const, 'decimal' as const),
    weekStart: fc.integer({ min: 0, max: 6 }),
    timeZone: fc.constantFrom(null, 'UTC', 'Asia/Kathmandu', 'America/Santiago'),
    dayStartHour: fc.integer({ min: 0, max: 23 }),
    longRunningHours: fc.constantFrom(0 as const, 2 as const, 4 as const, 8 as const),
    eveningHour: fc.option(fc.integer({ min: 0, max: 23 })),
    awayMinutes: fc.constantFrom(...AWAY_MINUTES),
    usualEnd: fc.boolean(),
    goalReached: fc.boolean(),
    timerInTitle: fc.boolean(),
    trackOffline: fc.boolean(),
    shortcuts: fc.boolean(),
    pinnedTasks: fc.array(fc.string(), { maxLength: 50 }),
  })
  fc.assert(
    fc.property(settings, (each) => {
      expect(settingsFromPrefs(prefsFromSettings(each))).toEqual(each)
    }),
  )
})

test('Reading settings never throws, whatever another client has saved', () => {
  fc.assert(
    fc.property(fc.anything(), (prefs) => {
      expect(Object.keys(settingsFromPrefs(prefs))).toEqual(Object.keys(DEFAULT_SETTINGS))
    }),
  )
})
