import { IDLE, pauseTimer, resumeTimer, startTimer } from '@stint/core/timer/timer.ts'
import { describe, expect, test } from 'vitest'

import { announcement, timerState, windowTitle } from './timer-words.ts'

const running = startTimer('session', 'task', 0)
const paused = pauseTimer(running, 60_000)

describe('the badge', () => {
  test.each([
    ['nothing while idle', IDLE, false, null],
    ['Active until the session is confirmed', running, true, 'Active'],
    ['Running after the session is confirmed', running, false, 'Running'],
    ['Paused, confirmed or not', paused, true, 'Paused'],
  ])('The badge shows %s', (_, timer, creating, word) => {
    expect(timerState(timer, creating)?.word ?? null).toBe(word)
  })
})

describe('the live region', () => {
  test.each([
    ['a start', IDLE, running, 'Timer started: Write report'],
    ['a pause', running, paused, 'Timer paused: Write report'],
    ['a resume', paused, resumeTimer(paused, 90_000), 'Timer resumed: Write report'],
    ['a stop', paused, IDLE, 'Timer stopped'],
    ['a switch', running, startTimer('other', 'task', 0), 'Timer started: Write report'],
    ['nothing for a tick', running, running, null],
    ['nothing while idle', IDLE, IDLE, null],
  ])('The live region announces %s', (_, before, after, text) => {
    expect(announcement(before, after, 'Write report')).toBe(text)
  })
})

test('The tab title shows the running time and the task, and the page when idle', () => {
  expect(windowTitle('Tasks', running, 'Write report', 3725)).toBe('▶ 01:02:05 · Write report')
  expect(windowTitle('Tasks', paused, 'Write report', 60)).toBe('❚❚ 01:00 · Write report')
  expect(windowTitle('Tasks', IDLE, null, 0)).toBe('Tasks · Stint')
})
