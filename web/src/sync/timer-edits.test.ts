/** The start of the running timer, moved, and starts in the past. */
import { testWalks } from '#test/walk.ts'

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
  A moved start of an unsent stop is kept, whichever device completes the stop
    L start, 3600, L off, L move -3600, L task, L stop, L dies PATCH, L send, P look, L open → 7200B
  A start is never moved past the begin of the current pause
    L start, 3600, L pause, 3600, L move 10800, L resume, 5, L stop → 5
  A start is never moved past now
    L start, 60, L move 600, 5, L stop → 5
`)
