/**
 * Checks the size of each route's scripts in Brotli bytes, in every language: the static imports of its entry points,
 * without later imports. Fails if a budget is exceeded: `node scripts/budgets.ts [another checkout]`, which also
 * prints the growth against the latest build there, as of `main` in a work tree beside this one.
 */
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { LANGUAGE_NAMES, LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import { fileIn } from '../server/src/site/addresses.ts'
import { currentBuild } from '../server/src/site/build.ts'
import { chunkList, nameIn } from '../web/build-targets.ts'
import { buildWebAppIfStale } from './web-stamp.ts'

const KILOBYTE = 1_000

interface Chunk {
  readonly file: string
  readonly src?: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

interface Budget {
  readonly what: string
  readonly files: ReadonlySet<string>
  readonly kilobytes: number
  /** A smaller size to reach later. */
  readonly goal?: number
}

const dist = await buildWebAppIfStale()
const [, , other] = process.argv
const before = other === undefined ? null : currentBuild(resolve(other, 'web/dist'))
const exceeded: string[] = []
for (const language of LANGUAGES) {
  console.log(LANGUAGE_NAMES[language])
  const sizes = await sizesIn(dist, language)
  const earlier = before === null ? sizes : await sizesIn(before, language)
  for (const [index, { what, bytes, kilobytes, goal }] of sizes.entries()) {
    const isOver = bytes > kilobytes * KILOBYTE
    if (isOver) exceeded.push(`${LANGUAGE_NAMES[language]}, ${what}`)
    const figure = `${inKilobytes(bytes).padStart(6)} of ${String(kilobytes).padStart(5)} KB`
    const growth = bytes - (earlier[index]?.bytes ?? bytes)
    const change = growth === 0 ? '' : ` (${growth > 0 ? '+' : ''}${inKilobytes(growth)} KB)`
    const aim = goal === undefined ? '' : ` (goal: ${goal} KB)`
    console.log(`${isOver ? '✗' : '✓'} ${figure}${change}  ${what}${aim}`)
  }
}
if (exceeded.length > 0) {
  console.error(`Exceeded, see docs/decisions/0042-what-loads-first.md:\n${exceeded.join('\n')}`)
  process.exitCode = 1
}

/** Returns the budgets with what a build takes of each. */
async function sizesIn(build: string, language: Language): Promise<(Budget & { bytes: number })[]> {
  const budgets = budgetsOf(await chunksOf(build, language), language)
  return Promise.all(
    budgets.map(async (budget) => ({ ...budget, bytes: await brotliBytes(build, budget.files) })),
  )
}

function inKilobytes(bytes: number): string {
  return (bytes / KILOBYTE).toFixed(2)
}

async function chunksOf(build: string, language: Language): Promise<Manifest> {
  const text = await readFile(join(build, chunkList(language)), 'utf8')
  // The edge to a file that Vite wrote.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as Manifest
}

/** Returns the routes and their budgets, the same in every language (docs/decisions/0042-what-loads-first.md). */
function budgetsOf(chunks: Manifest, language: Language): Budget[] {
  const page = (name: string) => new Set([fileIn(language, name)])
  const entry = keyOf(chunks, 'app.html')
  const route = (name: string) => keyOf(chunks, `src/routes/${name}.tsx`)
  // Imported dynamically, but needed before a signed-in user sees anything.
  const signedIn = [
    entry,
    keyOf(chunks, 'src/app/require-signed-in.tsx'),
    keyOf(chunks, 'src/session/open-user.ts'),
  ]
  // Needed by every signed-in screen, but not before its data is shown.
  const later = Object.keys(chunks).filter((key) =>
    /appwrite|src\/pwa\/|src\/sync\/sync\.ts/.test(key),
  )
  // Loaded on demand, which most visits never do: the notification of the timer, import, export and restoration, copies on this device, proposals, keys, passkeys, codes at sign-in, editors, categories,
  // completion, the calendar, the picker of a range, saving a filter, features that are off by default, prompts of the dashboard, the search
  // for sessions, ways in that most servers lack, help with a forgotten password, the question before a sign-out, the record without an account.
  const askedFor = Object.keys(chunks).filter(
    (key) =>
      /(-(editor|suggestions|ways)|category-field|(bulk|categories|filter|forgotten-password|sign-out)-dialog)\.tsx|session-search\.ts|features\/(focus|guest)\/|prompts\.tsx|leave-dialog\.tsx|session\/(adopt-guest|guest-sync)\.ts|routes\/try\.tsx/.test(
        key,
      ) ||
      /\/(files|editors|task-choices|renaming|calendar|range-picker|suggestions|import-review|import-receipts-list|restore-dialog|timer-notification|timer-notification-keeper|changed-entry|copy-folder|kept-copies|keep-copies|copies|external-error-text|stint-json|keys|passkeys|passkey-ceremonies|second-factor|proposals-section|entry-export|search)-/.test(
        chunks[key]?.file ?? '',
      ),
  )
  const passwordCheck = keyOf(chunks, 'src/hooks/password-check.ts')
  const everything = Object.keys(chunks).filter(
    (key) => !/temporal-polyfill/.test(key) && key !== passwordCheck,
  )
  const sessions = route('sessions')
  // With its dialogs, which are loaded when they open.
  const withDialogs = (name: string) => [
    route(name),
    ...Object.keys(chunks).filter((key) => key.startsWith(`src/features/${name}/`)),
  ]
  const timesheet = withDialogs('timesheet')
  const balance = withDialogs('balance')
  const targets = withDialogs('targets')
  const year = withDialogs('year')
  const rebuild = withDialogs('rebuild')
  // Files of one of these screens, or of several. Those of traces are loaded where a device keeps some.
  const ofScreens = Object.keys(chunks).filter(
    (key) =>
      /hooks\/(week-events|planned-days|pattern-events|day-layer|evidence-lines)\.tsx/.test(key) ||
      /\/(timesheet|qr-code|filter-box|balance|public-holidays|owed|typed-hours|kept-targets|target-figures|targets|year|rebuild|traces)-/.test(
        chunks[key]?.file ?? '',
      ),
  )
  const alone = [
    ...askedFor,
    ...ofScreens,
    ...timesheet,
    ...balance,
    ...targets,
    ...year,
    ...rebuild,
    sessions,
  ]
  const holidays = filesOf(chunks, 'public-holidays')
  const routes = scriptsOf(
    chunks,
    everything.filter((key) => !alone.includes(key)),
  ).difference(holidays)
  const onDemand = scriptsOf(chunks, askedFor).difference(routes).difference(holidays)
  return [
    { what: '/: complete first paint', files: page('index.html'), kilobytes: 11 },
    { what: '/terms', files: page('terms.html'), kilobytes: 10 },
    { what: '/privacy', files: page('privacy.html'), kilobytes: 10 },
    { what: '/login: JS', files: scriptsOf(chunks, [entry, route('login')]), kilobytes: 90 },
    { what: '/signup: JS', files: scriptsOf(chunks, [entry, route('signup')]), kilobytes: 82 },
    {
      what: '/dashboard: JS before a known user’s data are on screen',
      files: scriptsOf(chunks, [...signedIn, route('dashboard')]),
      kilobytes: 116,
      goal: 95,
    },
    {
      what: '/dashboard: JS in all',
      files: scriptsOf(chunks, [...signedIn, route('dashboard'), ...later]),
      kilobytes: 160,
    },
    {
      what: 'all routes but /sessions, /timesheet, /balance, /targets, /year and /rebuild: JS',
      files: routes,
      kilobytes: 293,
    },
    {
      what: '/sessions: JS of its own',
      files: scriptsOf(chunks, [sessions]).difference(routes).difference(onDemand),
      kilobytes: 11,
    },
    {
      what: '/timesheet: JS of its own',
      files: scriptsOf(chunks, timesheet).difference(routes).difference(onDemand),
      kilobytes: 17,
    },
    {
      what: '/balance: JS of its own',
      files: scriptsOf(chunks, balance)
        .difference(routes)
        .difference(onDemand)
        .difference(holidays),
      kilobytes: 23,
    },
    {
      what: '/targets: JS of its own',
      files: scriptsOf(chunks, targets).difference(routes).difference(onDemand),
      kilobytes: 14,
    },
    {
      what: '/year: JS of its own',
      files: scriptsOf(chunks, year).difference(routes).difference(onDemand),
      kilobytes: 6,
    },
    {
      what: '/rebuild: JS of its own',
      files: scriptsOf(chunks, rebuild).difference(routes).difference(onDemand),
      kilobytes: 10.6,
    },
    { what: 'public holidays, loaded to choose from: JS', files: holidays, kilobytes: 150 },
    { what: 'loaded on demand: JS', files: onDemand, kilobytes: 124 },
    {
      what: 'the list of common passwords, loaded for a new password: JS',
      files: scriptsOf(chunks, [passwordCheck]).difference(routes),
      kilobytes: 56,
    },
    {
      what: 'the service worker with what it imports: JS',
      files: new Set([nameIn(language, 'sw.js'), 'notification-click.js', 'timer-notification.js']),
      kilobytes: 11,
    },
    { what: 'all routes: CSS', files: stylesOf(chunks, everything), kilobytes: 13.1 },
    { what: 'the typeface', files: filesOf(chunks, 'figtree-latin-wght'), kilobytes: 20.5 },
  ]
}

/** Returns the scripts of the entry points with all their imports. */
function scriptsOf(chunks: Manifest, keys: readonly string[]): Set<string> {
  return new Set(
    closureOf(chunks, keys)
      .map(({ file }) => file)
      .filter((file) => file.endsWith('.js')),
  )
}

function stylesOf(chunks: Manifest, keys: readonly string[]): Set<string> {
  return new Set(closureOf(chunks, keys).flatMap(({ css }) => css ?? []))
}

/** Returns the files with that in their names. */
function filesOf(chunks: Manifest, name: string): Set<string> {
  const files = Object.values(chunks).map(({ file }) => file)
  return new Set(files.filter((file) => file.includes(name)))
}

function closureOf(chunks: Manifest, keys: readonly string[]): Chunk[] {
  const found = new Map<string, Chunk>()
  const waiting = [...keys]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = chunks[key]
    if (!chunk || found.has(key)) continue
    found.set(key, chunk)
    waiting.push(...(chunk.imports ?? []))
  }
  return [...found.values()]
}

function keyOf(chunks: Manifest, name: string): string {
  const key = Object.keys(chunks).find((candidate) => candidate === name)
  if (key === undefined) throw new Error(`The build has no ${name}`)
  return key
}

/** Returns the size as sent: that of the compressed copy if there is one. */
async function brotliBytes(build: string, files: ReadonlySet<string>): Promise<number> {
  const sizes = await Promise.all(
    [...files].map(async (file) => {
      const compressed = await stat(join(build, `${file}.br`)).catch(() => null)
      return (compressed ?? (await stat(join(build, file)))).size
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
