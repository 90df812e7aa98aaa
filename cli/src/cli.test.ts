/** The command line as its users run it, against the real server. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { COMPILE_CACHE } from '@stint/testing/compile-cache.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import type { TestUser } from '@stint/testing/test-app.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { EXIT_CODES } from './failure.ts'
import { runProgram } from './program.ts'

const SOURCES = join(import.meta.dirname, '../bin/stint.js')

const listeners: Server[] = []
const server = serverForFile()
let ann: TestUser
let address: string
let home: string
let secret: string

beforeAll(async () => {
  address = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(async () => {
  // Thursday 15 January 2026, 12:00 UTC; the clock stands still until a test moves it.
  ann = await server.signedInUser()
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin' } })
  home = mkdtempSync(join(tmpdir(), 'stint-cli-'))
  secret = await keyWith('write')
  // As `stint login` stores them, which has tests of its own.
  mkdirSync(join(home, 'stint'))
  writeFileSync(join(home, 'stint/access.json'), JSON.stringify({ server: address, key: secret }))
})
afterEach(async () => {
  for (const each of listeners.splice(0)) each.close()
  rmSync(home, { recursive: true })
})

test('login stores a key that only the user can read, and logout removes it', async () => {
  const file = join(home, 'stint/access.json')
  rmSync(join(home, 'stint'), { recursive: true })
  expect(await start(['login', address], { input: `${secret}\n` })).toMatchObject({ error: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await run(['status'])).lines).toEqual(['No timer', 'Today 0m'])
  expect(await run(['logout'])).toMatchObject({ code: 0 })
  expect(await run(['status'])).toMatchObject({
    code: EXIT_CODES.access,
    error: 'stint: No key yet: run stint login.\n',
  })
})

test('a wrong key is not stored, and the stored one stays', async () => {
  expect(await start(['login', address], { input: 'stint_wrong' })).toMatchObject({
    code: EXIT_CODES.access,
    error: 'stint: The key is wrong, or it was revoked.\n',
  })
  expect((await run(['status'])).code).toBe(0)
})

test('a damaged file names itself and what to do', async () => {
  writeFileSync(join(home, 'stint/access.json'), '{"server":')
  const { code, error } = await run(['status'])
  expect(code).toBe(EXIT_CODES.access)
  expect(error).toContain(join(home, 'stint/access.json'))
  expect(error).toContain('run stint login')
})

test('a timer is started, paused, resumed and stopped', async () => {
  expect((await run(['start', 'Write', 'report'])).lines).toEqual([
    'Started Write report  00:00  since 13:00',
  ])
  server.clock.advance(600_000)
  expect((await run(['pause'])).lines).toEqual(['Write report  10:00  paused'])
  server.clock.advance(60_000)
  expect((await run(['toggle'])).lines).toEqual(['Write report  10:00  since 13:00'])
  server.clock.advance(300_000)
  expect((await run(['status'])).lines).toEqual(['Write report  15:00  since 13:00', 'Today 15m'])
  expect((await run(['stop'])).lines).toEqual(['Saved Write report  15m  13:00–13:16'])
  expect(await run(['stop'])).toMatchObject({
    code: EXIT_CODES['no-timer'],
    error: 'stint: No timer is active.\n',
  })
})

test('a start reads the line as the app does, and --at and --note add to it', async () => {
  expect((await run(['start', 'call Ann #acme 10m ago'])).lines).toEqual([
    'Started call Ann  10:00  since 12:50  #acme',
  ])
  const { lines } = await run(['start', 'Hiring', '--at', '12:55', '--note', 'with Bob'])
  expect(lines).toEqual([
    'Saved call Ann  5m  12:50–12:55  #acme',
    'Started Hiring  05:00  since 12:55  with Bob',
  ])
})

test('a category and tags are read from the line beside --at and --note', async () => {
  const words = ['start', 'fix login', '@acme', '#bug', '--at', '12:50', '--note', 'by mail']
  expect((await run(words)).lines).toEqual(['Started fix login  10:00  since 12:50  #bug by mail'])
  expect((await run(['tasks', '@acme'])).lines).toEqual(['fix login'])
  await run(['start', 'call @acme', '--at', '12:55'])
  expect((await run(['tasks', '@acme'])).lines).toEqual(['fix login', 'call'])
})

test('a time in the line beside --at is refused, and nothing starts', async () => {
  expect(await run(['start', 'Hiring 10m ago', '--at', '12:55'])).toMatchObject({
    code: EXIT_CODES.refused,
    error: 'stint: Send exactly one of `at` and a time in `line`.\n',
  })
  expect((await run(['status'])).lines[0]).toBe('No timer')
})

test('a name that fits several tasks is refused with the choices', async () => {
  for (const line of ['9-10 Write letter', '10-11 Write report']) {
    await post('sessions', { line })
  }
  expect(await run(['start', 'write'])).toMatchObject({
    code: EXIT_CODES.refused,
    error: 'stint: Several tasks fit this name.\n  Write report\n  Write letter\n',
  })
  expect((await run(['status'])).lines[0]).toBe('No timer')
})

test('a time that the clocks skipped is refused with the reason', async () => {
  const { code, error } = await run(['add', '2025-03-30 02:30-03:30', 'Deploy'])
  expect(code).toBe(EXIT_CODES.refused)
  expect(error).toContain('There is no 02:30 on 30 March: clocks went forward at 02:00.')
})

test('sessions are added and listed by day', async () => {
  expect((await run(['add', '9-10:30', 'Call Ann'])).lines).toEqual([
    'Added Call Ann  1h 30m  09:00–10:30',
  ])
  expect((await run(['add', '10-11', 'Hiring'])).lines).toEqual([
    'Added Hiring  1h 0m  10:00–11:00',
    'Overlaps Call Ann  1h 30m  09:00–10:30',
  ])
  await run(['add', 'yesterday 14:00-14:20', 'Hiring'])
  expect((await run(['log'])).lines).toEqual([
    '2026-01-15',
    '  10:00–11:00   1h 0m  Hiring',
    '  09:00–10:30  1h 30m  Call Ann',
    '',
    '2026-01-14',
    '  14:00–14:20     20m  Hiring',
    '',
    '3 sessions, 2h 50m',
  ])
  expect((await run(['log', 'yesterday'])).lines.at(-1)).toBe('1 session, 20m')
})

test('a saved filter is named like any filter', async () => {
  for (const line of ['9-10:30 Call Ann', '10-11 Hiring', 'yesterday 14:00-14:20 Hiring']) {
    await post('sessions', { line })
  }
  const prefs = { timeZone: 'Europe/Berlin', 'filter:Hiring now': 'task:hiring today' }
  await ann.call('PATCH', '/account/prefs', { prefs })
  expect((await run(['total', 'this', 'week', '--filter', 'hiring now'])).lines[0]).toMatch(
    /^1h 0m/,
  )
  expect((await run(['log', 'Hiring', 'now'])).lines.at(-1)).toBe('1 session, 1h 0m')
  expect((await run(['export', 'hiring', 'now'])).lines).toHaveLength(2)
})

test('the balance says what it is made of', async () => {
  expect((await run(['balance'])).lines).toEqual([
    'No hours account on these days. The page Balance of the app sets one up.',
  ])
  const account = {
    'contract:2026-01-14': '28800/day 12345; 3600',
    'dayoff:2026-01-14:sick': '2026-01-14',
  }
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin', ...account } })
  await post('sessions', { line: '9-10:30 Call Ann' })
  expect((await run(['balance', '--by', 'day'])).lines).toEqual([
    '−5h 30m  2026-01-15',
    '  at the start   +1h 0m',
    '  worked        +1h 30m',
    '  owed          −16h 0m',
    '  days off       +8h 0m',
    '',
    '  days         worked    owed  balance',
    '  2026-01-15  +1h 30m  −8h 0m  −5h 30m',
    '  2026-01-14       0m  −8h 0m   +1h 0m',
  ])
  expect((await run(['balance', 'yesterday'])).lines[0]).toBe('+1h 0m  2026-01-14')
})

test('the hours account is printed by day as CSV', async () => {
  const account = { 'contract:2026-01-14': '28800/day 12345' }
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin', ...account } })
  await post('sessions', { line: '9-10:30 Call Ann' })
  expect((await run(['balance', '--csv'])).lines).toEqual([
    'Day,Period,Opening,Worked,Owed,Holidays,Days off,Corrections,Lapsed,Balance,Balance seconds',
    '2026-01-14,2026-01-01,0,0,-28800,0,0,0,0,-28800,-28800',
    '2026-01-15,2026-01-01,0,5400,-28800,0,0,0,0,-52200,-52200',
  ])
})

test('the timesheet has its lines, its rule and its amounts', async () => {
  await post('sessions', { line: '9-10:20 Call Ann' })
  await post('sessions', { task: 'Hiring', start: '11:00', end: '11:05', note: 'Two letters' })
  expect((await run(['timesheet'])).lines).toEqual([
    '2026-01-15',
    '  1h 20m  Call Ann',
    '      5m  Hiring    Two letters',
    '',
    '1h 25m  2026-01-01 – 2026-01-31',
    'Times are exact, to the second.',
  ])
  const rates = { 'rate:category:Development:0001-01-01': '90 EUR', timesheet: '15 up line day' }
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin', ...rates } })
  expect((await run(['timesheet', 'today'])).lines).toEqual([
    '2026-01-15',
    '  1h 30m  135.00 EUR  Call Ann',
    '     15m   22.50 EUR  Hiring    Two letters',
    '',
    '1h 45m  157.50 EUR  2026-01-15',
    'Each task of a day is rounded up to 15 minutes.',
  ])
  const rule = ['--step', '0', '--filter', 'task:hiring']
  expect((await run(['timesheet', ...rule, '--csv'])).lines).toEqual([
    'Date,Task,Note,Duration,Seconds,Exact,Exact seconds,Billable,Amount,Currency',
    '2026-01-15,Hiring,Two letters,300,300,300,300,yes,7.50,EUR',
  ])
  expect((await run(['timesheet', 'yesterday'])).lines[0]).toBe('0m  2026-01-14')
})

test('a timesheet is sealed once, and once more only with --again', async () => {
  await post('sessions', { line: '9-10:20 Call Ann' })
  await post('sessions', { line: '11-11:05 Hiring' })
  const sealed = await run(['timesheet', 'today', '--step', '15', '--direction', 'up', '--seal'])
  expect(sealed.lines).toEqual([
    'Sealed 2 sessions, 1h 45m  2026-01-15',
    expect.stringMatching(/^SHA-256 [0-9a-f]{64}$/),
    expect.stringMatching(/^http.*\/timesheet\?sheet=[0-9a-f]{20}$/),
  ])
  expect(await run(['timesheet', 'today', '--seal'])).toMatchObject({
    code: EXIT_CODES.refused,
    error: `stint: Sessions on it are on a sealed timesheet with these days already: 2. Send \`again\`, or the filter \`-invoiced\`.\n`,
  })
  const once = ['timesheet', 'today', '--filter', 'task:hiring', '--seal', '--again']
  expect((await run(once)).lines[0]).toBe('Sealed 1 session, 5m  2026-01-15')
  expect((await run(['timesheet', '--seal', '--csv'])).code).not.toBe(0)
  expect((await run(['timesheet', 'yesterday', '--seal'])).error).toBe(
    'stint: There is no work on these days to seal.\n',
  )
})

const REFUSED_RULES = [
  [['--step', '7'], 'Allowed choices are 0, 1, 5, 6, 15, 30.'],
  [['--direction', 'left'], 'Allowed choices are up, nearest, down.'],
  [['--per', 'month'], 'Allowed choices are session, line, total.'],
  [['--billable', 'some'], 'Allowed choices are only, all.'],
  [['--filter', '17-3 nov'], 'The range ends before it begins.'],
  [['17-3', 'nov'], 'The range ends before it begins.'],
] as const

test('a timesheet that is not understood is refused in one sentence', async () => {
  for (const [args, message] of REFUSED_RULES) {
    const { code, error } = await run(['timesheet', ...args])
    expect([args, code]).not.toEqual([args, 0])
    expect(error).toContain(message)
  }
})

test('the targets say what is left to go', async () => {
  expect((await run(['targets'])).lines).toEqual([
    'No targets. The page Targets of the app sets them.',
  ])
  const prefs = {
    timeZone: 'Europe/Berlin',
    weekStart: 1,
    'target:most:day:all': 7200,
    'target:least:week:tag:acme': 36_000,
    'target:least:month:tag:acme': 3600,
    'target:most:week:tag:acme': 3600,
  }
  await ann.call('PATCH', '/account/prefs', { prefs })
  await post('sessions', { line: '9-10:30 Call Ann #acme' })
  expect((await run(['targets'])).lines).toEqual([
    'All work  at most 2h a day     1h 30m   75%  on track: 30m left',
    '#acme     at least 10h a week  1h 30m   15%  behind: 2h 7m a day to go',
    '#acme     at most 1h a week    1h 30m  150%  over by 30m',
    '#acme     at least 1h a month  1h 30m  150%  reached, 30m more',
  ])
})

test('totals and exports have the seconds of the sessions', async () => {
  for (const line of ['9-10:30 Call Ann', '10-11 Hiring', 'yesterday 14:00-14:20 Hiring']) {
    await post('sessions', { line })
  }
  expect((await run(['today'])).lines).toEqual([
    '2h 30m  2026-01-15',
    '  Call Ann  1h 30m',
    '  Hiring     1h 0m',
  ])
  expect((await run(['total', 'this', 'week', '--filter', 'hiring'])).lines[0]).toMatch(/^1h 20m/)
  expect((await run(['total', 'last 30 days'])).lines[0]).toMatch(/^2h 50m/)
  expect((await run(['total', 'since', 'yesterday'])).lines[0]).toMatch(/^2h 50m/)
  expect((await run(['tasks', 'hir'])).lines).toEqual(['Hiring'])

  const { lines } = await run(['export', 'task:hiring'])
  expect(lines).toEqual([
    'Task,Start,End,Seconds,Note,Tags,Billable,Invoiced',
    'Hiring,2026-01-15T09:00:00.000Z,2026-01-15T10:00:00.000Z,3600,,,,',
    'Hiring,2026-01-14T13:00:00.000Z,2026-01-14T13:20:00.000Z,1200,,,,',
  ])
  const form = ['--separator', 'tab', '--decimal', 'comma', '--duration', 'hours']
  // A row keeps its empty last fields.
  expect((await run(['export', 'today', 'task:hiring', ...form])).output).toBe(
    'Task\tStart\tEnd\tDuration\tSeconds\tNote\tTags\tBillable\tInvoiced\r\n' +
      'Hiring\t2026-01-15T09:00:00.000Z\t2026-01-15T10:00:00.000Z\t1,0000\t3600\t\t\t\t\n',
  )
  expect(await run(['export', '--separator', ';'])).toMatchObject({
    code: EXIT_CODES.usage,
    error: expect.stringContaining('Allowed choices are comma, semicolon, tab.'),
  })
  const exported: object[] = JSON.parse((await run(['export', '--json'])).output)
  expect(exported).toMatchObject([{ seconds: 3600 }, { seconds: 5400 }, { seconds: 1200 }])
  // Whatever the server answers of a session has a column.
  const answered = Object.keys(exported[0] ?? {}).filter((name) => name !== 'id')
  expect(lines[0]?.toLowerCase().split(',')).toEqual(answered)
})

test('--json prints the answer of the server', async () => {
  await run(['start', 'Write'])
  const { output } = await run(['status', '--json'])
  expect(JSON.parse(output)).toMatchObject({
    timeZone: 'Europe/Berlin',
    timer: { task: { name: 'Write' }, state: 'running', seconds: 0 },
  })
})

test('a key that only reads is refused, and nothing changes', async () => {
  await start(['login', address], { input: await keyWith('read') })
  expect(await run(['start', 'Write'])).toMatchObject({
    code: EXIT_CODES.access,
    error: 'stint: The key may only read.\n',
  })
  expect((await run(['tasks'])).lines).toEqual([''])
})

test.for([[['strat']], [['start']], [['log', '--nope']], [['total', 'today', '--by', 'colour']]])(
  'what is not understood ends with its own code: %j',
  async ([words = []]) => {
    expect(await run(words)).toMatchObject({ code: EXIT_CODES.usage, output: '' })
  },
)

test('a time that cannot be read is refused with the reason', async () => {
  const { code, error } = await run(['start', 'Write', '--at', 'half past'])
  expect(code).toBe(EXIT_CODES.refused)
  expect(error).toContain('at')
})

test.for([[['total', '17-3 nov']], [['log', '17-3 nov']]])(
  'dates in the wrong order are refused: %j',
  async ([words = []]) => {
    expect(await run(words)).toMatchObject({
      code: EXIT_CODES.refused,
      error: expect.stringContaining('The range ends before it begins.'),
    })
  },
)

test('a server that does not answer has its own code', async () => {
  const env = { STINT_SERVER: 'http://127.0.0.1:9', STINT_KEY: 'stint_x' }
  expect(await run(['status'], env)).toMatchObject({
    code: EXIT_CODES.unreachable,
    error: 'stint: No answer from http://127.0.0.1:9.\n',
  })
})

test.for(['stint.example.com', 'localhost:3000', 'ftp://stint.example.com', ''])(
  'what is no address of a server is refused: %j',
  async (wrong) => {
    const refused = { code: EXIT_CODES.usage, error: expect.stringContaining('is no address') }
    expect(await start(['login', wrong], { input: secret })).toMatchObject(refused)
    if (wrong === '') return
    const env = { STINT_SERVER: wrong, STINT_KEY: secret }
    expect(await run(['status'], env)).toMatchObject(refused)
  },
)

test.for(['http://stint.example.com', 'http://192.168.1.5:3000', 'http://127.0.0.1.example.com'])(
  'no key goes to %s, which is not encrypted, unless told',
  async (unencrypted) => {
    const refused = {
      code: EXIT_CODES.usage,
      error: expect.stringContaining('STINT_ALLOW_HTTP=1'),
    }
    expect(await start(['login', unencrypted], { input: secret })).toMatchObject(refused)
    const env = { STINT_SERVER: unencrypted, STINT_KEY: secret }
    expect(await run(['status'], env)).toMatchObject(refused)
    const file = join(home, 'stint/access.json')
    writeFileSync(file, JSON.stringify({ server: unencrypted, key: secret }))
    expect(await run(['status'])).toMatchObject(refused)
  },
)

test('a key goes to another machine by http when told', async () => {
  // It leads to this machine, but does not say so.
  const env = {
    STINT_SERVER: address.replace('127.0.0.1', '0.0.0.0'),
    STINT_KEY: secret,
  }
  expect(await run(['status'], env)).toMatchObject({ code: EXIT_CODES.usage })
  expect(await run(['status'], { ...env, STINT_ALLOW_HTTP: '1' })).toMatchObject({
    code: 0,
    lines: ['No timer', 'Today 0m'],
  })
})

test.for([301, 302, 303, 307, 308])(
  'a redirect to another origin gets neither the key nor the body: %i',
  async (status) => {
    const asked: string[] = []
    const other = await listening((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(200).end('{"tasks":[]}')
    })
    const moved = await listening((request, response) => {
      response.writeHead(status, { location: `${other}${request.url ?? ''}` }).end()
    })
    const env = { STINT_SERVER: moved, STINT_KEY: secret }
    for (const words of [['tasks'], ['start', 'Write']]) {
      expect(await run(words, env)).toMatchObject({
        code: EXIT_CODES.refused,
        error: `stint: ${moved} redirects to ${other}, which gets no key. If that is your server: stint login ${other}\n`,
      })
    }
    expect(asked).toEqual([])
  },
)

test('a read follows redirects of the same origin, and a change none', async () => {
  const asked: (string | undefined)[] = []
  const moved = await listening((request, response) => {
    asked.push(request.method, request.headers.authorization)
    const url = request.url ?? ''
    if (!url.startsWith('/new')) response.writeHead(308, { location: `/new${url}` }).end()
    else response.writeHead(200).end('{"tasks":[{"id":"a","name":"Write"}],"timeZone":"UTC"}')
  })
  const env = { STINT_SERVER: moved, STINT_KEY: secret }
  expect((await run(['tasks'], env)).lines).toEqual(['Write'])
  // Each of its two calls is sent twice.
  expect(asked).toEqual(Array.from({ length: 4 }, () => ['GET', `Bearer ${secret}`]).flat())
  asked.length = 0
  expect(await run(['start', 'Write'], env)).toMatchObject({
    code: EXIT_CODES.refused,
    error: `stint: ${moved} redirects to ${moved}/new/v1/stint/start, and changes follow no redirect.\n`,
  })
  expect(asked).toEqual(['POST', `Bearer ${secret}`])
})

test('redirects in a circle end', async () => {
  let calls = 0
  const circle = await listening((request, response) => {
    calls += 1
    response.writeHead(302, { location: request.url ?? '' }).end()
  })
  const env = { STINT_SERVER: circle, STINT_KEY: secret }
  expect(await run(['tasks'], env)).toMatchObject({
    code: EXIT_CODES.refused,
    error: `stint: ${circle} redirects too often.\n`,
  })
  expect(calls).toBe(6)
})

test('names and notes do not control the terminal, and an export keeps every character', async () => {
  const note = 'a\u001B]0;title\u0007\u009B31mb\u202Etxt\u2066'
  await post('sessions', { newTask: 'Write\u001B[2J', start: '9:00', end: '10:00', note })
  const { output } = await run(['log'])
  expect(output).toContain('Write\uFFFD[2J  a\uFFFD]0;title\uFFFD\uFFFD31mb\uFFFDtxt\uFFFD')
  expect((await run(['start', 'Write\u001B[2J', '--at', 'soon\u001B'])).error).not.toContain(
    '\u001B',
  )
  expect((await run(['export'])).output).toContain(note)
  const { output: json } = await run(['log', '--json'])
  expect(json.trimEnd().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E\u2066]/u)
  expect(JSON.parse(json).sessions).toMatchObject([{ note }])
})

test('a call that meets a limit waits as long as the server says', async () => {
  let calls = 0
  const limited = createServer((_, response) => {
    calls += 1
    if (calls > 1) response.writeHead(200).end('{"tasks":[],"timeZone":"UTC"}')
    else
      response.writeHead(429, { 'retry-after': '1' }).end('{"type":"general_rate_limit_exceeded"}')
  })
  await new Promise<void>((done) => limited.listen(0, '127.0.0.1', done))
  const { port } = Object(limited.address())
  const env = { STINT_SERVER: `http://127.0.0.1:${port}`, STINT_KEY: secret }
  expect(await run(['tasks', '--json'], env)).toMatchObject({
    code: 0,
    error: 'Too many calls: waiting 1 s.\n',
  })
  limited.close()
})

test('a session whose answer is lost is added once', async () => {
  let calls = 0
  const relay = createServer((request, response) => void pass(request, response))
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await fetch(address + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      body: request.method === 'POST' ? await text(request) : null,
    })
    calls += 1
    if (calls === 1) response.destroy()
    else response.writeHead(answer.status).end(await answer.text())
  }
  await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done))
  const { port } = Object(relay.address())
  const env = { STINT_SERVER: `http://127.0.0.1:${port}`, STINT_KEY: secret }
  expect((await run(['add', '9-10', 'Write'], env)).lines).toEqual([
    'Added Write  1h 0m  09:00–10:00',
  ])
  relay.close()
  expect(calls).toBe(3)
  expect((await run(['log'])).lines.at(-1)).toBe('1 session, 1h 0m')
})

test.for(['bash', 'zsh', 'fish'])('there is a completion for %s', async (shell) => {
  const { code, output } = await start(['completion', shell])
  expect(code).toBe(0)
  expect(output).toContain('stint')
  if (shell === 'bash') execFileSync('bash', ['-n'], { input: output })
})

test('completion knows the commands', async () => {
  const { output } = await start(['complete', '--', 'sta'])
  expect(output).toContain('start')
  expect(output).toContain('status')
  expect(output).not.toContain('pause')
})

let packed: string
beforeAll(() => {
  packed = mkdtempSync(join(tmpdir(), 'stint-packed-'))
  const folder = join(import.meta.dirname, '..')
  execFileSync('npm', ['pack', '--pack-destination', packed], { cwd: folder, stdio: 'ignore' })
  execFileSync('tar', ['xzf', join(packed, 'stint-cli-1.0.0.tgz'), '-C', packed])
})
afterAll(() => rmSync(packed, { recursive: true }))

test('the packed command runs without the repository', async () => {
  const program = join(packed, 'package/bin/stint.js')
  expect((await start(['start', 'Write'], { program })).lines).toEqual([
    'Started Write  00:00  since 13:00',
  ])
})

/** Starts a server that is closed after the test. Returns its address. */
async function listening(listener: RequestListener): Promise<string> {
  const started = createServer(listener)
  listeners.push(started)
  await new Promise<void>((done) => started.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${Object(started.address()).port}`
}

async function keyWith(access: 'read' | 'write'): Promise<string> {
  return (await ann.call('POST', '/stint/keys', { name: 'Shell', access })).body.secret
}

async function post(path: string, body: object): Promise<void> {
  const answer = await fetch(`${address}/v1/stint/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

interface Result {
  readonly code: number | null
  readonly output: string
  readonly lines: readonly string[]
  readonly error: string
}

/** Runs a command in this process: to start one takes longer than the command, and what it does is the same. */
async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const [output, error] = [written(process.stdout), written(process.stderr)]
  // No zone of the machine counts.
  for (const [name, value] of Object.entries({ XDG_CONFIG_HOME: home, TZ: 'Asia/Kolkata', ...env }))
    vi.stubEnv(name, value)
  try {
    return resultOf(await runProgram(words), output(), error())
  } finally {
    vi.unstubAllEnvs()
  }
}

/** Keeps what is written until the returned function returns it. */
function written(stream: NodeJS.WriteStream): () => string {
  let said = ''
  const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
  return () => {
    spy.mockRestore()
    return said
  }
}

/** Runs the command as its users do, in a process of its own. */
async function start(
  words: readonly string[],
  { input = '', program = SOURCES }: { input?: string; program?: string } = {},
): Promise<Result> {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'], XDG_CONFIG_HOME: home },
  })
  child.stdin.end(input)
  const [output, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = await new Promise<number | null>((done) => {
    if (child.exitCode === null) child.once('exit', done)
    else done(child.exitCode)
  })
  return resultOf(code, output, error)
}

function resultOf(code: number | null, output: string, error: string): Result {
  return { code, output, lines: output.trimEnd().split(/\r?\n/), error }
}
