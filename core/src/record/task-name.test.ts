import { expect, test } from 'vitest'

import { taskNamed } from './task-name.ts'

test.each([
  ['Write', 'Write'],
  ['  wRITE ', 'Write'],
  ['write', 'write'],
  ['ÜBUNG', 'Übung'],
  ['weekly   Review', 'Weekly review'],
  ['Writ', undefined],
  ['', undefined],
])('The task of the name %j is %j', (name, found) => {
  const tasks = ['Write', 'Übung', 'write', 'Weekly review'].map((each) => ({ name: each }))
  expect(taskNamed(tasks, name)?.name).toBe(found)
})
