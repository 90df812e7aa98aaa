/** Starts that do not reach the backend, and timers that are tracked without it. */
import { describe } from 'vitest'

import { testWalks } from '#test/walk-world.ts'

describe('A start that failed, without an answer to the banner', () => {
  testWalks(
    `
    Its time until the failure is asked about
      L off, L start, 10, L cut, L send, L on → nothing, asks 10
    Its time up to the start of another task is asked about
      L cut, L start, 30, L on, L start B, 5, L stop → 5B, asks 30
    Its time is asked about also when the start of another task fails
      L cut, L start, 30, L start B, 5, L on → nothing, asks 30
    It does not run again when it was paused and resumed in the page before the one in which it fails
      L off, L start, 5, L pause, 5, L resume, 5, L cut, L open, 10, L on → nothing, asks 10
    Nor when another task is started in a page after the one in which it failed
      L off, L start, 5, L pause, 5, L resume, 5, L cut, L send, L open, 10, L start B, L on → nothing, asks 20
    Its time counts nowhere after the answer that it was no work
      L cut, L start, 30, L on, L start B, 5, L stop, P look, P leave → 5B
    Track offline is of no use while another timer runs that came from elsewhere, and the time is asked about
      L cut, L start, 20, P start B, L on, L tracks, 5 → nothing, asks 20, runs 5
  `,
    { tracksOffline: false },
  )
})

describe('A start that failed and is tracked offline', () => {
  testWalks(
    `
    It counts from its press
      L cut, L start, 30, L tracks, 5, L on, L stop → 35
    Presses on it count without the server
      L cut, L start, 5, L tracks, 5, L pause, 60, L resume, 10, L stop, L on → 20
    It is created with its current pause when the network is back
      L cut, L start, L tracks, 20, L pause, L on, 5 → nothing, paused 20
    It is sent when the network is back, and other devices stop it
      L cut, L start, 5, L tracks, L on, P look, 5, P stop, L look → 10
    A timer that another device began before the network was back runs on, and nothing is lost
      L cut, L start, 5, L tracks, P start B, 5, L on → 10, runs 5
  `,
    { tracksOffline: false },
  )
})
