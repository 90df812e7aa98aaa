/** Presses of devices that had not heard of each other: what counts, and what is asked (docs/log.md). */
import { describe } from 'vitest'

import { testWalks } from '#test/walk-world.ts'

describe('A press that arrives late', () => {
  testWalks(`
    A pause counts in a session that a device without knowledge of it has stopped, and its time is asked about
      L start, P look, L off, 10, L pause, 5, L resume, 10, P stop, L on → 20, asks 5
    A pause without a resume lasts until the end of the session
      L start, P look, L off, 10, L pause, 10, P stop, L on → 10, asks 10
    A resume counts up to the stop of a device that showed the timer as paused
      L start, P look, 10, L pause, P look, L off, 5, L resume, 20, P stop, 3, L on → 30
    A pause and a resume count that two devices have pressed in the same moments
      L start, P look, L off, 10, P pause, L pause, 10, P resume, L resume, 10, P stop, L on → 20
    The pauses of two devices without a network both count
      L start, P look, T look, L off, P off, 10, L pause, 10, P pause, 10, T stop, P on, L on → 10, asks 20
    A start that was moved to earlier counts in a session that another device has stopped
      L start, P look, L off, 10, L move -5, P stop, L on → 15
    A start that another device has moved counts in the stop of a device without a network
      L start, P look, L off, 10, P move -5, L stop, L on → 15
    A press that changes nothing asks nothing
      L start, P look, 10, L pause, P look, P off, 5, P pause, P on, L stop → 10
    A pause that was confirmed counts, although its device presses again without having heard of a stop
      L start, P look, 10, L pause, 5, L resume, P look, L off, 5, P stop, L pause, 5, L resume, L on → 15
  `)
})

describe('A stop on two devices', () => {
  testWalks(`
    What a screen showed is asked about when an earlier stop arrives after one that had not heard of all of it
      L start, 10, L pause, T look, T off, 10, L resume, P look, P off, 20, P stop, 30, T stop, T on, L look, P on → 30, asks 30
    The earlier stop counts although it arrives later, and the time of the later one is asked about
      L start, P look, L off, 10, L stop, 10, P stop, L on → 10, asks 10
    The earlier stop counts when it arrives first, and the time of the later one is asked about
      L start, P look, L off, 10, P stop, 10, L stop, L on → 10, asks 10
    Two stops within a second ask nothing
      L start, P look, L off, 10, P stop, 0.5, L stop, L on → 10
    The time is asked about that a screen went on to show without a press after a stop elsewhere
      L start, P look, L off, 10, P stop, 10, L on → 10, asks 10
    A screen that hears of a stop within seconds asks nothing
      L start, P look, L off, 10, P stop, 4.9, L on → 10
    A stop within the first second ends the session, and work elsewhere is asked about
      L start, P look, P off, 0.5, L stop, 9.5, P stop, P on → nothing, asks 9
    A pause after a stop with nothing to save is asked about up to the pause
      L start, P look, P off, L stop, 10, P pause, 5, P on → nothing, asks 10
    A stop of a third device does not end a session later than the first stop
      L start, P look, T look, L off, P off, 10, L stop, 10, P pause, 5, P resume, 5, T stop, L on, P on → 10, asks 20
    A note does not hide that a screen went on to show the timer
      L start, P look, L off, P stop, 10, L note x, 10, L on → nothing, asks 20
    A session that is discarded asks a device that worked on without having heard of it
      L start, P look, L off, 10, P discard, 5, L stop, L on → nothing, asks 5
    A discarded timer is gone on every device
      L start, P look, 10, P discard, L look → nothing
    A start that is moved in a discarded session asks about the time that it adds
      L start, P look, L off, 10, P discard, L move -5, 5, L on → nothing, asks 10
  `)
})

describe('Two timers', () => {
  testWalks(`
    An offline timer of which a later start had not heard ends where its screen leaves it
      L off, L start, 10, P start B, 10, L on → 20, runs 10
    Of two timers that both began without a network the later one runs on, and nothing is lost
      L off, P off, L start, 10, P start B, 10, L on, P on → 10, asks 10, runs 10
    A later timer that has ended already does not end an earlier one
      L off, P off, L start, 10, P start B, 5, P stop, 5, P on, L on → 5B, runs 20
    A stop elsewhere and a new timer there ask about what the first screen showed since
      L start, P look, L off, 10, P stop, P start B, 10, L on → 10, asks 10, runs 10
    A start in the past ends the timer at that moment, and asks nothing
      L start, 10, L start B -4, 6, L stop → 6 10B
    A timer that a start elsewhere ends in its pause asks nothing
      L start, 10, L pause, P look, L off, 10, P start B, 5, L on → 10, runs 5
  `)
})

describe('Another task of a timer on two devices', () => {
  testWalks(`
    Another task of a timer stays when another device stops it
      L start, P look, L off, L task, 10, P stop, L on → 10B
    Another task and a note from two devices are both kept
      L start, P look, L off, L task, P note x, 10, P stop, L on → 10B(x)
  `)
})
