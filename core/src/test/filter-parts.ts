/** Filters for tests of what a filter costs. */
import { MAX_FILTER_PARTS } from '#record/session-filter.ts'
import type { FilterCondition } from '#record/session-filter.ts'

/** A part of each kind that leaves out no session, so that all are looked at. A kind that is added does not compile. */
const PARTS: Readonly<Record<FilterCondition['kind'], string>> = {
  words: '-qq',
  tag: '-#qq',
  task: '-task:qq',
  category: '-category:qq',
  exactCategory: '-@qq',
  dates: '-1999',
  length: '->99h',
  clock: '-before 0:00',
  billable: 'billable',
  invoiced: '-invoiced',
}

/** A filter of each kind, of as many parts as there may be. */
export const FULL_FILTERS = Object.entries(PARTS).map(([kind, part]) => {
  return [kind, Array<string>(MAX_FILTER_PARTS).fill(part).join(' ')] as const
})
