/**
 * Clocks that are wrong: what no request has had yet is placed anew once the server has confirmed the clock. An
 * end like '10@5' says in which second of the walk the entry starts.
 */
import { describe } from 'vitest'

import { testWalks } from '#test/walk.ts'

/** A browser that is opened after its clock was set, without a network. */
const SET = (seconds: number) => `L off, L close, L clock ${seconds}, L open`

describe('A clock that was set while the browser was closed', () => {
  for (const seconds of [3 * 3600, -9000 * 3600]) {
    const set = SET(seconds)
    testWalks(
      `
      A start and a stop are right, ${seconds} s off
        ${set}, L start, 10.5, L stop, L on → 10@0
      A running timer loses no second, ${seconds} s off
        L start, 10.5, ${set}, 10, L stop, L on → 20@0
      A pause and a resume are right, ${seconds} s off
        L start, 10.5, ${set}, 10, L pause, 5, L resume, 5, L stop, L on → 25@0
      A timer that goes on is right when the network is back, ${seconds} s off
        ${set}, L start, 10.5, L on, 10, L stop → 20@0
      A start that is moved to earlier is right, ${seconds} s off
        ${set}, L start, 10.5, L move -5, 5, L stop, L on → 20@-5
      A start in the past is right, ${seconds} s off
        ${set}, L start -5, 10.5, L stop, L on → 15@-5
      A stop that is undone is right, ${seconds} s off
        ${set}, L start, 10.5, L stop, 5, L undo, 5, L on, L stop → 20@0
      A split is right, ${seconds} s off
        ${set}, L start, 40.5, L stop, L split 10, L on → 10@0 30@10
      Another task ends the first timer at the right moment, ${seconds} s off
        ${set}, L start, 10.5, L start B, 10, L stop, L on → 10@0 10B@10.5
      An earlier stop elsewhere ends the session at its moment, ${seconds} s off
        L start, P look, 10, ${set}, 10, P stop, 10.5, L stop, L on → 20@0, asks 10
      A pause elsewhere counts, ${seconds} s off
        L start, P look, 10, ${set}, 10, P pause, 2, L note x, L on, L stop → 20@0(x)
    `,
      { saysWhen: true },
    )
  }
  testWalks(
    `
    A start that failed asks about all its time once the clock is known
      ${SET(-3600)}, L start, 10, L cut, L send, L on → nothing, asks 10
  `,
    { saysWhen: true, tracksOffline: false },
  )
})

describe('A clock that was set ahead while the browser was closed', () => {
  testWalks(`
    What a screen showed is asked about, because the device was seen without a network before its clock was set
      L start, P look, L off, L close, 1000, P stop, 1000, L open, L close, L clock 10800, 1000, L open, L on → 1000, asks 2000
    What a screen showed is asked about, also of a page that was open for a moment with the wrong clock
      L start, P look, L off, L close, 1000, P stop, 1000, L open, L close, L clock 10800, 900, L open, L close, 60, L open, L on → 1000, asks 1960
    A device that slept before its clock was set does not ask about the time since
      L start, P look, L off, 1000, P stop, L close, L clock 10800, 3600, L open, L on → 1000
    What a screen showed is asked about until it was seen without a network, if the device slept since
      L start, P look, L off, L close, 1000, P stop, 60, L open, L close, L clock 10800, 14400, L open, L on → 1000, asks 60
    What a screen showed is asked about until the device slept, by whatever clock
      L start, P look, L off, 1000, P stop, L close, L clock 10800, L open, 60, L wakes, 3600, L wakes, L on → 1000, asks 60
  `)
})

describe('A clock that is set while the app is open', () => {
  testWalks(
    `
    A clock that is set ahead does not lengthen a timer
      L off, L start, 10, L clock 3600, 10, L stop, L on → 20@0
    A clock that is set ahead twice loses no work
      L start, L off, 10, L clock 3600, 10, L clock 3600, 10, L stop, L on → 30@0
    A clock that is set ahead once more while the browser is closed loses no work
      L start, L off, 10, L clock 3600, L look, 10, L stop, L close, L clock 3600, L open, L on → 20@0
    A clock that is set ahead before the browser is closed is no sleep
      L start, L off, 10, L clock 3600, 10, L close, 10, L open, 5, L stop, L on → 35@0
    Work after a stop elsewhere is asked about although the clock is set between two presses
      L start, P look, L off, 10, P stop, 10, L clock 3600, L stop, L on → 10@0, asks 10
    A request that had a press keeps it, and the presses after it are placed anew
      L start, 10, L unanswered, L pause, L off, L clock 3600, 5, L resume, 5, L stop, L on → 15@0
  `,
    { saysWhen: true },
  )
})
