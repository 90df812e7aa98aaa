/** Questions about time that a screen showed as work: every device has them, and the answer (docs/log.md). */
import { describe } from 'vitest'

import { testWalks } from '#test/walk-world.ts'

/** Ten seconds count, and ten more are asked about. */
const ASKED = 'L start, P look, L off, 10, P stop, 10, L stop, L on'

describe('The answer to a question', () => {
  testWalks(`
    The time counts
      ${ASKED}, L keep → 20
    The time counts after an answer on the other device
      ${ASKED}, P look, P keep, L look → 20
    The time counts nowhere
      ${ASKED}, P look, P leave → 10
    Two devices give the same answer at once
      ${ASKED}, P look, P off, L keep, 1, P keep, P on → 20
    Two devices say at once that it was no work
      ${ASKED}, P look, P off, L leave, 1, P leave, P on → 10
    Time that two devices answer about in different ways is asked about again
      ${ASKED}, P look, P off, L keep, 1, P leave, P on → 10, asks 10
    Time counts that one device keeps after the other one has left it out
      ${ASKED}, P look, P off, L leave, 1, P keep, P on → 20
    A session that was deleted stays so when its question is answered
      ${ASKED}, P look, P delete, L look, L keep → 10
    A trim after the answer decides
      ${ASKED}, L keep, P look, P trim 5 → 5
    A trim that leaves the question out stays, and so does the question
      ${ASKED}, P look, P trim 5, L look → 5, asks 10
    A longer end answers the question
      ${ASKED}, P look, P trim 20, L look → 20
    An answer that a restored server has lost is sent again
      ${ASKED}, P look, backup, P keep, L look, restore, L look → 20
    An answer stays when the answer to its request is lost
      ${ASKED}, P look, P unanswered, P keep, L look, P on → 20
    The questions of two sessions are answered one by one
      ${ASKED}, 5, L start, P look, P off, 10, L stop, 10, P stop, P on, L look → 10 10, asks 10 10
    A new timer does not take the question along
      ${ASKED}, L start, 5, L stop, P look, P leave → 10 5
  `)
})
