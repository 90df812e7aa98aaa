import { expect, test } from 'vitest'

import { choicesOf } from '#choices.ts'

const ANN = { id: 'a', name: 'Call Ann' }
const BEN = { id: 'b', name: 'Call Ben' }

test('the tasks that fit come first, then a new one, each with the tags and the category of the line', () => {
  expect(choicesOf('call #acme', [ANN, BEN])).toEqual([
    { name: 'Call Ann', isNew: false, start: { taskId: 'a', note: '#acme' } },
    { name: 'Call Ben', isNew: false, start: { taskId: 'b', note: '#acme' } },
    { name: 'call', isNew: true, start: { newTask: 'call', note: '#acme' } },
    { name: 'call #acme', isNew: true, start: { newTask: 'call #acme' } },
  ])
})

test('a start in the past stays with each', () => {
  const [first] = choicesOf('call 10m ago', [ANN, BEN])
  expect(first?.start).toEqual({ taskId: 'a', at: expect.stringMatching(/Z$/) })
})

test('without tasks there is nothing to choose', () => {
  expect(choicesOf('call', [])).toEqual([])
})
