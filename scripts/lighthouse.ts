/**
 * Runs Lighthouse for a phone on a slow network and takes the median of three runs: `npm run lighthouse`,
 * or `npm run lighthouse -- /reports` for some pages. Fails if a score or a time misses its bound.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { request } from '@playwright/test'

import { createUser, PASSWORD } from '../e2e/backend.ts'
import { startServer } from '../e2e/server.ts'
import { findChromium } from './chromium.ts'
import { ROOT } from './run.ts'
import { sampleHistory, saveHistory, signInToApi } from './sample-history.ts'
import { buildWebAppIfStale } from './web-stamp.ts'

const RUNS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const AUDITS = [
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
] as const

/**
 * Lower bounds of scores, 0 … 100, and upper bounds of times in milliseconds. The pages of a signed-in
 * person are opened in a browser that has nothing of the app yet.
 */
const PAGES: readonly Bounds[] = [
  { path: '/', scores: [100, 100, 100, 100], lcp: 900 },
  { path: '/login', scores: [99, 100, 100, 100], lcp: 1_400 },
  ...[
    '/dashboard',
    '/tasks',
    '/sessions',
    '/reports',
    '/balance',
    '/timesheet',
    '/targets',
    '/rebuild',
    '/data',
    '/settings',
  ].map((path) => ({
    path,
    scores: [95, 95, 95, 95],
    isSignedIn: true,
  })),
]

interface Bounds {
  readonly path: string
  /** In the order of the categories. */
  readonly scores: readonly number[]
  readonly lcp?: number
  readonly isSignedIn?: boolean
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<
    Record<string, { readonly score: number | null; readonly numericValue?: number }>
  >
}

const chromium = findChromium()
await buildWebAppIfStale()
const server = await startServer()
const folder = mkdtempSync(join(tmpdir(), 'stint-lighthouse-'))
let passed = true
try {
  const cookie = await cookieOfSampleUser()
  for (const { path, scores, lcp, isSignedIn } of PAGES.filter(isWanted)) {
    const reports: Report[] = []
    for (let run = 1; run <= RUNS; run++)
      reports.push(await audit(path, run, isSignedIn === true ? cookie : undefined))
    const found = CATEGORIES.map((name) =>
      Math.round(100 * median(reports.map(({ categories }) => categories[name]?.score ?? 0))),
    )
    const times = AUDITS.map((name) =>
      median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN)),
    )
    const [paint = Number.NaN, blocking = Number.NaN, shift = Number.NaN] = times
    console.log(
      `${path.padEnd(8)} ${CATEGORIES.map((name, index) => `${name} ${found[index]}`).join(', ')}; ` +
        `LCP ${Math.round(paint)} ms, TBT ${Math.round(blocking)} ms, CLS ${shift.toFixed(3)}`,
    )
    const isGood =
      found.every((score, index) => score >= (scores[index] ?? 0)) &&
      paint <= (lcp ?? Infinity) &&
      shift < 0.01
    if (isGood) continue
    passed = false
    for (const name of failedAudits(reports)) console.log(`         - ${name}`)
  }
} finally {
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
}
if (!passed) process.exitCode = 1

function isWanted({ path }: Bounds): boolean {
  const wanted = process.argv.slice(2)
  return wanted.length === 0 || wanted.includes(path)
}

/** Returns the cookie of a person with three months of work. */
async function cookieOfSampleUser(): Promise<string> {
  const context = await request.newContext()
  const { email } = await createUser(context, server.url)
  await context.dispose()
  const user = await signInToApi(server.url, email, PASSWORD)
  await saveHistory(user, sampleHistory(Date.now(), 'Europe/Berlin'))
  return user.cookie
}

/** Runs Lighthouse once, and once more if it lost its own trace, as happens on a busy machine. */
async function audit(path: string, run: number, cookie?: string): Promise<Report> {
  return runLighthouse(path, run, cookie).catch(() => runLighthouse(path, run + RUNS, cookie))
}

async function runLighthouse(path: string, run: number, cookie?: string): Promise<Report> {
  const output = join(folder, `report-${path.length}-${run}.json`)
  const profile = join(folder, `profile-${path.length}-${run}`)
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/lighthouse/cli/index.js'),
      `${server.url}${path}`,
      '--quiet',
      '--output=json',
      `--output-path=${output}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
      `--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CHROME_PATH: chromium } },
  )
  const code = await new Promise((resolve) => child.on('exit', resolve))
  if (code !== 0) throw new Error(`Lighthouse ended with ${String(code)}`)
  // The edge to a file that Lighthouse wrote.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(readFileSync(output, 'utf8')) as Report
}

/** Returns the failed audits of all runs. */
function failedAudits(reports: readonly Report[]): string[] {
  const names = reports.flatMap(({ audits }) =>
    Object.entries(audits)
      .filter(([, { score }]) => score !== null && score < 0.9)
      .map(([name]) => name),
  )
  return [...new Set(names)]
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
