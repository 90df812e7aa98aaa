/**
 * Gives properties the same cases in every run, so that a change is judged by what it changed.
 * PROPERTIES=5000 looks further: so many other cases of each property that does not name its own number.
 */
import * as fc from 'fast-check'

const RUNS = Number(process.env['PROPERTIES'] ?? 0)
const SEED = 20_261_130

fc.configureGlobal(RUNS > 0 ? { numRuns: RUNS } : { seed: SEED })
