/**
 * The two sizes of the tests. `npm test` runs the short one, what a change must pass; `npm run test:long`
 * the rest. Without TESTS, as when somebody runs a file by hand, every test is there, in its short form.
 */
const size = process.env['TESTS'] ?? ''
if (!['', 'short', 'long'].includes(size))
  throw new Error(`TESTS is "${size}", but must be short, long or unset`)

export const IS_SHORT = size === 'short'
export const IS_LONG = size === 'long'

const LONG = '**/*.long.test.ts'

/** Returns which files of these folders a project of Vitest runs: `*.long.test.ts` is in the long run alone. */
export function testsOf(...folders: readonly string[]): { include: string[]; exclude: string[] } {
  const files = IS_LONG ? LONG : '**/*.test.{ts,tsx}'
  return {
    include: folders.map((folder) => `${folder}/${files}`),
    exclude: IS_SHORT ? [LONG] : [],
  }
}

/**
 * Returns how many runs a test that explores makes: as many as the environment variable says, or else the
 * number of the size. @throws Error if the variable is no positive number, for that would prove nothing.
 */
export function runsOf(variable: string, short: number, long: number): number {
  const text = process.env[variable]
  const runs = text === undefined ? (IS_LONG ? long : short) : Number(text)
  if (!(runs > 0)) throw new Error(`${variable} is no positive number: ${text}`)
  return runs
}
