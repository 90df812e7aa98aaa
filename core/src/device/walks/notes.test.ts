/** Notes of the running timer, and of what it becomes. */
import { describe } from 'vitest'

import { testWalks } from '#test/walk-world.ts'

describe('A note on one device', () => {
  testWalks(`
    A note that is typed offline survives the end of the tab, and is typed on
      L start, L off, L note x, L close, L open, L note xy, L on, 5, L stop → 5(xy)
    A note whose answer was lost is typed on
      L start, L unanswered, L note x, 5, L note xy, L on, L stop → 5(xy)
    A note is cleared
      L start, L note x, P look, L note, P look, 5, P stop → 5
    The entry of a stop has the note, and a stop that is undone continues with it
      L start, L note x, 60, L stop, L undo, L note xy, 60, L stop → 120(xy)
    A stop that is undone before it is sent continues with the note
      L start, L off, L note x, 60, L stop, L undo, L on, 5, L stop → 65(x)
    A note that its owner changes in the entry before the stop is sent stays
      L start, L off, L note x, 60, L stop, L note y, L on → 60(y)
    Another task on the running timer keeps the note; another start has none
      L start, L note x, L task, 60, L start, 5, L stop → 60B(x) 5
    A session that is gone from the server is created again with its note
      backup, L start, L note x, restore, L look, 5, L stop → 5(x)
  `)
})

describe('A note on two devices', () => {
  testWalks(`
    Of two notes the later one stays, through pauses, and no second is lost
      L start, P look, P off, P note early, 10, L pause, 10, L resume, 10, L note later, 10, P on, 10, P note last, L look, L stop → 40(last)
    A pause elsewhere does not cost the note, and the note does not cost the pause
      L start, P look, P off, P note x, 10, L pause, 3, P on, L look, L stop → 10(x)
    A note for a session that was stopped elsewhere goes to its entry
      L start, P look, P off, P note x, 3, L stop, P on, L look → 3(x)
    A note for a session whose stop was undone elsewhere goes to the timer that goes on
      L start, P look, P off, P note x, 60, L stop, L undo, P on, L look, L stop → 60(x)
    A note for a session that is stopped and undone at the same time is kept
      L start, P look, L off, P note x, 60, L stop, L undo, L on, P look, P stop → 60(x)
    A stop saves the note that its device does not know
      L start, P look, P note x, 60, L stop → 60(x)
    A note that is typed on, on a session that was stopped elsewhere, is not doubled
      L start, P look, P unanswered, P note x, 5, L look, L stop, P note xy, P on → 5(xy)
  `)
})
