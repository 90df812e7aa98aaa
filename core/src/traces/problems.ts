import type { CsvProblem } from '#csv.ts'
import { MAX_PROBLEMS } from './trace.ts'

const MAX_EXCERPT = 80

/** The first problems of a file. */
export class Problems {
  readonly list: CsvProblem[] = []

  /** Adds what could not be read, unless there are very many. `line` counts from 1. */
  add(line: number, text: string, why: string): void {
    if (this.list.length >= MAX_PROBLEMS) return
    this.list.push({ line, text: text.slice(0, MAX_EXCERPT), why })
  }
}
