/**
 * A backend that was restored from a backup: what devices know is united and written again, whoever presses what
 * since. Each walk ends with a fresh device, which shows the same.
 */
import { describe } from 'vitest'

import { testWalks } from '#test/walk-world.ts'

describe('An older document', () => {
  testWalks(`
    A lost pause and resume are sent again, and a stop elsewhere meets them
      L start, P look, backup, 10, L pause, 5, L resume, P look, 5, restore, P look, L look, 5, P stop, L look → 20
    A lost pause counts for a device that had not heard of it, and its time is asked about
      L start, P look, backup, 10, L pause, 5, L resume, 10, restore, P look, 5, P stop, L on → 25, asks 5
    A lost resume counts when another device stops the session in the pause before it
      L start, P look, 10, L pause, P look, 5, backup, L resume, 10, restore, P look, P stop, L look → 20
    Presses of two devices since the backup count, those before it and after
      L start, P look, 10, backup, L pause, P look, 5, L resume, P look, 5, restore, L off, P off, 5, P pause, 5, L stop, P on, L on → 20, asks 5
    A lost stop ends the session again, and later work elsewhere is asked about
      L start, P look, P off, 10, backup, L stop, restore, P on, 10, P stop, L look → 10, asks 10
    A session that a backup brings back does not run where its end is known
      L start, P look, 10, backup, L stop, P look, restore, P look, 5, L look → 10
    A stop with nothing to save stays after a backup
      L start, P look, backup, L stop, P look, restore, 5, P look, L look → nothing
    A lost undo of a stop runs on
      L start, 10, L stop, backup, L undo, 5, restore, P look, 5, L look → nothing, runs 20
    A lost undo and the stop after it are one session
      L start, 10, L stop, backup, L undo, 5, L stop, restore, P look, P note x, L look → 15(x)
    A lost moved start counts in the stop of another device
      L start, P look, 10, backup, L move -5, restore, P look, P stop, L look → 15
    A lost discard stays, and later work elsewhere is asked about
      L start, P look, 10, backup, L discard, restore, P look, 5, P stop, L look → nothing, asks 5
    A lost discard stays
      L start, 10, backup, L discard, restore, L look → nothing
    A later note of a device that had not heard of the lost one stays
      L start, P look, 10, backup, L note x, restore, P look, 1, P note y, L look, L stop → 11(y)
    A lost change of the task stays
      L start, P look, 10, backup, L task, L stop, restore, P look, L look → 10B
    What a screen showed is asked about also when the news came from before the backup
      L start, P look, L off, 10, backup, P stop, P look, 10, restore, L on → 10, asks 10
    Two backups lose nothing
      L start, 40, L stop, backup, L split 10, P look, restore, P look, P note x 2, restore, L look, P look → 10 30(x)
  `)
})

describe('An older entry', () => {
  testWalks(`
    A lost split is made again
      L start, 40, L stop, backup, L split 10, restore, P look, L look → 10 30
    A lost trim stays
      L start, 40, L stop, backup, L trim 10, restore, P look, L look → 10
    A lost deletion stays
      L start, 40, L stop, backup, L delete, restore, P look, L look → nothing
    A lost restoration stays
      L start, 10, L stop, P look, P delete, backup, P restores, restore, L look, P look → 10
    A lost note stays beside a trim from another device
      L start, 40, L stop, backup, L note x, restore, P look, P trim 20, L look → 20(x)
    A lost note is sent again after another device has sent something newer first
      L start, 40, L stop, backup, L note x, 600, P start B, 60, P stop, L look, restore, 1, P look, L look → 40(x) 60B
    A lost trim stays beside a note of a device that had not heard of it
      L start, 40, L stop, P look, P off, backup, L trim 20, restore, P on, 1, P note x, L look → 20(x)
    A lost split stays beside another one of a device that had not heard of it
      L start, 40, L stop, P look, P off, backup, L split 10, restore, P on, P split 20, L look → 10 10 20
    The half of a lost split can be split where it is known
      L start, 40, L stop, backup, L split 10, P look, restore, P look, P split 20 2, L look → 10 20 10
    A merge takes in the half of a lost split
      L start, 40, L stop, backup, P look, P split 10, restore, P merge, L look → 40
    A half can be changed that the server has lost by then
      L start, 40, L stop, backup, L split 10, P look, restore, P split 20 2, L look → 10 20 10
  `)
})

describe('A missing document', () => {
  testWalks(`
    A lost timer runs on, and a device that had heard of it can stop it
      backup, L start, P look, 10, restore, P look, 5, L look, P stop → 15
    Presses of two devices on a lost timer count
      backup, L start, P look, 10, restore, P off, L off, 5, L pause, 5, P stop, L on, P on → 15, asks 5
    A lost session is saved again
      backup, L start, 40, L stop, P look, restore, P look, L look → 40
    A lost session is saved again by a device that has only heard of it
      backup, L start, 10, L stop, P look, L close, restore, P look, 5, L open → 10
    Changes of two devices in a lost session are both kept
      backup, L start, 40, L stop, P look, restore, P look, P trim 20, L split 10, L look → 10 10
    A lost session with two halves gets both back, and the change of one
      backup, L start, 40, L stop, L split 10, P look, restore, P trim 20 2, L look → 10 20
    A new timer starts beside a lost session
      backup, L start, P look, 10, L stop, P look, restore, P start B, 5, P stop, L look → 10 5B
    A lost timer of which a later start had not heard ends where its screen leaves it
      backup, L start, 10, restore, P start B, 10, L look → 20, runs 10
    A lost deletion stays although a device without knowledge of it sends the session
      backup, L start, 10, L stop, P look, L delete, restore, P look, 1, L look, P look → nothing
  `)
})
