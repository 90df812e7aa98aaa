/** Splits, trims and other edits of sessions, also on devices that had not heard of each other. */
import { describe } from 'vitest'

import { testWalks } from '#test/walk-world.ts'

describe('A split', () => {
  testWalks(`
    A split is undone
      L start, 40, L stop, L split 10, L back → 40
    A split that was undone is made again
      L start, 40, L stop, L split 10, L back, L back → 10 30
    The second half is split again on another device
      L start, 40, L stop, P look, L split 10, P look, P split 10 2, L look → 10 10 20
    The cuts of two devices both count
      L start, 40, L stop, P look, P off, L split 10, P split 20, L on, P on → 10 10 20
    The cuts of two devices at the same instant are one
      L start, 40, L stop, P look, P off, L split 10, P split 10, L on, P on → 10 30
    The undo of one cut leaves the cut of the other device
      L start, 40, L stop, P look, P off, L split 10, P split 20, L back, P on → 20 20
    A split whose answer is lost stays when another device has split its half since
      L start, 20, L stop, L unanswered, L split 10, P look, P split 5 2, L on → 10 5 5
    Each half has a note of its own
      L start, 40, L stop, L split 10, P look, P note x 2, L look, L note y → 10(y) 30(x)
    A note of a device that had not heard of the cut is on both halves
      L start, 40, L stop, P look, P off, L split 10, P note x, P on → 10(x) 30(x)
    A half is deleted on another device
      L start, 40, L stop, L split 10, P look, P delete 2, L look → 10
    The first half is deleted
      L start, 40, L stop, L split 10, L delete 1, P look → 30
    A deletion by a device that had not heard of the cut deletes both halves
      L start, 40, L stop, P look, P off, 1, L split 20, P delete, P on → nothing
    A trim elsewhere before the cut leaves no second half
      L start, 40, L stop, P look, P off, 1, L split 20, P trim 15, P on → 15
    A trim elsewhere after the cut shortens the second half
      L start, 40, L stop, P look, P off, 1, L split 20, P trim 35, P on → 20 15
  `)
})

describe('A split of a session whose end is not the same elsewhere', () => {
  testWalks(`
    A cut after an earlier stop elsewhere cuts nothing, and the time since is asked about
      L start, P look, L off, 10, P stop, 10, L stop, L split 15, L on → 10, asks 10
    A cut before a later stop elsewhere stays, and the time since is asked about
      L start, P look, L off, 20, L stop, L split 10, 10, P stop, L on → 10 10, asks 10
    A pause elsewhere counts in both halves
      L start, P look, P off, 10, P pause, 20, P resume, 10, L stop, L split 20, P on → 10 10, asks 20
    A pause elsewhere counts in all parts of a session that was split twice
      L start, P look, P off, 15, P pause, 20, P resume, 5, L stop, L split 10, L split 20 2, P on → 10 5 5, asks 20
    A resume elsewhere counts in the half in which it was pressed
      L start, 10, L pause, P look, P off, 20, P resume, 10, L stop, L split 5, P on → 5 15
    A cut stays in a session that goes on after the undo of its stop elsewhere
      L start, P look, 20, P stop, L look, P off, L split 10, 5, P undo, 5, P on, P stop → 10 20
    The session is whole while it goes on after the undo
      L start, P look, 20, P stop, L look, P off, L split 10, 5, P undo, 5, P on → nothing, runs 30
    A split that was undone leaves nothing when an earlier stop arrives only afterwards
      L start, P look, P off, 10, P stop, 10, L stop, L split 5, L back, P on → 10, asks 10
    A moved start elsewhere lengthens the first half
      L start, P look, P off, 20, P move -5, L stop, L split 10, P on → 15 10
  `)
})

describe('Edits of one session on two devices', () => {
  testWalks(`
    A start and an end that are typed on two devices are both kept
      L start, 20, L stop, P look, P off, L trim 15, 1, P begin 5, P on → 10
    Another task and a note are both kept
      L start, 20, L stop, P look, P off, L task, 1, P note x, P on → 20B(x)
    Of two ends the later one is kept that arrives last
      L start, 20, L stop, P look, P off, L trim 15, 1, P trim 10, P on → 10
    Of two ends the later one is kept that arrives first
      L start, 20, L stop, P look, P off, P trim 10, 1, L trim 15, P on → 15
    A deletion stays when the end was trimmed elsewhere
      L start, 20, L stop, P look, P off, L delete, 1, P trim 10, P on → nothing
    Work that was added unheard to a deleted session is asked about
      L start, 20, L stop, P look, P off, L delete, 1, P trim 15, 20, P trim 30, P on → nothing, asks 10
    A deleted session is restored
      L start, 20, L stop, L delete, P look, L restores → 20
    A merge after a trim of which it had not heard keeps all time of both sessions
      L start, 10, L stop, 10, L start, 10, L stop, P look, P off, P trim 5, 1, L merge, P on → 20
    A merge asks about the second session when the end of the first is trimmed unheard
      L start, 10, L stop, 10, L start, 10, L stop, P look, P off, L merge, 1, P trim 5, P on → 5, asks 10
    Undo reverts its own change, and a session that is longer than it was deleted elsewhere comes back
      L start, 20, L stop, L trim 10, P look, P note x, P delete, L back, P look → 20(x)
    An edit whose answer is lost keeps what another device has changed since
      L start, 20, L stop, L unanswered, L trim 10, P look, P note x, L on → 10(x)
  `)
})

describe('The start of the running timer, moved, and starts in the past', () => {
  testWalks(`
    An unsaved stop is saved as it was edited
      L start, 3600, L off, L stop, L trim 1800, L on → 1800
    A moved start is that of another device
      L start, 60, L move -3540, P look, P stop → 3600
    A start in the past ends the previous timer at that moment
      L start, 3600, L start B -900, L stop → 2700 900B
    A start in the past ends the previous timer at that moment, even if it was paused since
      L start, 3600, L pause, 900, L resume, 900, L start B -3600, L stop → 1800 3600B
    A start that is moved behind a pause cuts it off
      L start, 3600, L pause, 1800, L resume, 3600, L move 8100, L stop → 900
    The undo of a moved start restores the pauses that it cut off and keeps later ones
      L start, 3600, L pause, 1800, L resume, 3600, L move 8100, L pause, 3600, L resume, L back, L stop → 7200
    A start is never moved past the begin of the current pause
      L start, 3600, L pause, 3600, L move 10800, L resume, 5, L stop → 5
    A start is never moved past now
      L start, 60, L move 600, 5, L stop → 5
  `)
})
