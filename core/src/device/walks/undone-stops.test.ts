/** Undo of a stop, and Resume after a press that failed: the session goes on under its id. */
import { describe } from 'vitest'

import { testWalks } from '#test/walk-world.ts'

describe('A stop that is undone', () => {
  testWalks(`
    The timer goes on as if the stop had not been, although another device has heard of the stop
      L start, P look, 10, P stop, L look, 5, P undo, L look, 10, L stop → 25
    The time since the stop counts, although no request had the stop
      L start, P look, 10, P off, P stop, 5, P undo, 10, P on → nothing, runs 25
    A timer that was stopped in a pause is in that pause again
      L start, 10, L pause, 5, L stop, 5, L undo → nothing, paused 10
    A stop with nothing to save counts all time after its undo
      L start, L stop, 5, L undo, 5, L stop → 10
    A note on the saved session stays with the timer
      L start, 10, L stop, L note x, L undo, 5, L stop → 15(x)
    A note from another device stays with the timer that goes on
      L start, 10, L stop, P look, P note x, 5, L undo, 5, L stop → 20(x)
    A note of a device that had not heard of the undo stays with the timer that goes on
      L start, 10, L stop, P look, P off, L undo, P note x, P on, 5, L stop → 15(x)
    A trim of the end goes with the stop that is undone
      L start, 20, L stop, L trim 10, 5, L undo, 5, L stop → 30
    A start that was typed anew stays
      L start, 20, L stop, L begin 5, 5, L undo, 5, L stop → 25
    The time that another timer has timed meanwhile stays with that timer
      L start, 10, L stop, 2, L start B, 3, L pause, 2, L resume, 2, L undo, 15, L stop → 29 5B
    A session that was deleted elsewhere stays deleted where that is known
      L start, 10, L stop, P look, P delete, 5, L look, L undo → nothing
    A session that has grown since its deletion comes back
      L start, 10, L stop, P look, P off, 5, L undo, 5, P delete, 5, P on, L stop → 25
    A stop is undone twice
      L start, 10, L off, L stop, 5, L undo, 5, L stop, 5, L undo, 5, L on, L stop → 30
    Two clicks on Undo undo it once
      L start, 60, L stop, L undo, L undo, 15, L stop → 75
    An undo whose answer is lost is undone once
      L start, 10, L stop, 5, L unanswered, L undo, 5, P look, L on, L stop → 20
  `)
})

describe('A stop that is undone, with presses on another device', () => {
  testWalks(`
    Every stop that is known is undone
      L start, P look, L off, 10, L stop, 5, P stop, L on, P look, 5, P undo, 5 → nothing, runs 25
    A stop elsewhere stays that the undo had not heard of, and the time since is asked about
      L start, P look, L off, P off, 10, L stop, 5, P stop, 5, P undo, 5, P on, L on → 10, asks 15
    Stops that two devices have pressed and undone go on as one timer
      L start, P look, L off, P off, 10, L stop, P stop, 5, L undo, P undo, 5, L on, P on → nothing, runs 20
    A pause after the undo counts, and its time is asked about
      L start, P look, P off, 10, L stop, 5, L undo, 5, P pause, 5, P on → nothing, asks 5, paused 20
    A pause between the stop and its undo counts, and its time is asked about
      L start, P look, P off, 10, L stop, 5, P pause, 5, L undo, 5, P on → nothing, asks 10, paused 15
    A resume counts that was pressed elsewhere after a stop in a pause
      L start, 10, L pause, P look, P off, L stop, 5, P resume, 5, L undo, 5, P on → nothing, runs 20
    A stop elsewhere after the undo ends the session
      L start, P look, P off, 10, L stop, 2, L undo, 3, P stop, 2, P on → 15
    A start that is moved elsewhere counts in the timer that goes on
      L start, P look, P off, 10, L stop, P move -5, 5, L undo, 5, P on, L stop → 25
  `)
})

describe('Resume after a press that failed', () => {
  testWalks(
    `
    A failed pause begins when it was pressed
      L start, 10, L cut, L pause, 5, L on, L resumes, 10, L stop → 20
    Work since a failed resume counts
      L start, 10, L pause, 5, L cut, L resume, L on, 5, L resumes, 10, L stop → 25
    A failed resume that is not continued leaves what was worked before its pause
      L start, 10, L pause, 5, L cut, L resume, L on, 5, P look → 10
    Work elsewhere after a failed pause is asked about
      L start, P look, 10, L cut, L pause, 5, P stop, 5, L on → 10, asks 5
    A failed pause and its Resume count in a session that another device stops meanwhile
      L start, P look, 10, L cut, L pause, 5, L resumes, 5, P stop, L on → 15, asks 5
    A pause elsewhere counts in what continues a failed resume
      L start, 10, L pause, 5, L cut, L resume, L on, 5, L resumes, P look, 5, P pause, L look, 5, L stop → 20
    The task is timed anew if the session is known to be deleted elsewhere
      L start, 10, L cut, L pause, 5, L on, P look, P delete, 5, L look, L resumes, 10, L stop → 10
    A session that was deleted elsewhere comes back with the work since
      L start, 10, L cut, L pause, 5, L on, P look, P delete, 5, L resumes, 10, L stop → 20
    A split of what failed stays with the session that goes on
      L start, 20, L cut, L pause, 5, L on, L split 10, 5, L resumes, 10, L stop → 10 20
  `,
    { tracksOffline: false },
  )
})
