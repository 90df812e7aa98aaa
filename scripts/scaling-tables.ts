/** Generates the tables of docs/scaling.md from bench/results.json. `npm run bench` writes them. */
import type { PeopleBench } from '../bench/server/people.ts'

/** What one person does on a working day. docs/scaling.md explains each number. */
const DEVICES = 2
const HOURS_OPEN = 8
const REFRESHES_PER_HOUR = 4
const REQUESTS_PER_REFRESH = 5
const PRESSES = 20
const REQUESTS_PER_PRESS = 3
/** The share of a day's requests that come in its busiest hour. */
const BUSIEST_HOUR = 0.2
const SESSIONS_PER_YEAR = 2500

/** 93 MiB for 5,000 sockets, 1.2 GB for a million sessions on SQLite: docs/reliability-evidence.md. */
const KILOBYTES_PER_SOCKET = 19.5
const BYTES_PER_SESSION = 1200

/** What a machine gives. */
const CORE_SHARE = 0.5
const SOCKET_GIGABYTES = 1
const DATABASE_GIGABYTES = 100

type Growth = PeopleBench['growth'][number]

/** `<!-- table: measured -->`, a table, `<!-- end -->`. */
const PLACE = /(<!-- table: (\w+) -->\n)[^]*?(<!-- end -->)/g

/** Returns the page with its tables generated again, without padding. */
export function withScalingTables(page: string, people: PeopleBench): string {
  return page.replaceAll(PLACE, (_place, start: string, name: string, end: string) => {
    const rows = name === 'measured' ? measured(people) : limits(people)
    const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
    return `${start}\n${[lines[0], '| --- | --- | --- |', ...lines.slice(1)].join('\n')}\n\n${end}`
  })
}

function measured(people: PeopleBench): string[][] {
  const both = [largest(people, 'sqlite'), largest(people, 'postgres')] as const
  const row = (name: string, text: (growth: Growth) => string) => [name, ...both.map(text)]
  const gains = people.processes
    .filter(({ share }) => share !== null)
    .map(({ work, ratio }) => `${work} ${ratio.toFixed(2)}`)
  return [
    [`With ${count(both[0].entries)} sessions`, 'SQLite', 'PostgreSQL'],
    row('Processor time: what a sync reads, 100 changed sessions', (each) =>
      micros(each.syncMicroseconds),
    ),
    row('A list of the newest 100', (each) => micros(each.listMicroseconds)),
    row('One document', (each) => micros(each.getMicroseconds)),
    row('A new session', (each) => micros(each.createMicroseconds)),
    row('Memory of the process under load', (each) => `${whole(each.residentMegabytes)} MB`),
    row('Back after SIGKILL', (each) => `${(each.backMilliseconds / 1000).toFixed(1)} s`),
    ['Sign-ins per second of a core', whole(people.signIn.perCoreSecond), 'the same'],
    ['Two processes beside one', '–', gains.join(', ')],
  ]
}

function limits(people: PeopleBench): string[][] {
  const both = [largest(people, 'sqlite'), largest(people, 'postgres')]
  const sockets = (SOCKET_GIGABYTES * 1e6) / (KILOBYTES_PER_SOCKET * DEVICES)
  const rows = (DATABASE_GIGABYTES * 1e9) / (BYTES_PER_SESSION * SESSIONS_PER_YEAR)
  return [
    ['Ends first', 'SQLite, one process', 'PostgreSQL, each process'],
    [
      `${CORE_SHARE * 100} % of a core in the busiest hour`,
      ...both.map((each) => inPeople(peoplePerCore(each))),
    ],
    [`${SOCKET_GIGABYTES} GB for sockets, all devices open`, inPeople(sockets), inPeople(sockets)],
    [`${DATABASE_GIGABYTES} GB of database, a year each`, inPeople(rows), 'not measured'],
  ]
}

/** Returns how many people's requests take the share of a core in the busiest hour. */
function peoplePerCore({ syncMicroseconds, listMicroseconds }: Growth): number {
  const refreshes = DEVICES * HOURS_OPEN * REFRESHES_PER_HOUR * REQUESTS_PER_REFRESH
  const presses = PRESSES * (REQUESTS_PER_PRESS + (DEVICES - 1) * REQUESTS_PER_REFRESH)
  const perSecond = ((refreshes + presses) * BUSIEST_HOUR) / 3600
  // Each request counts as the dearest of them.
  const seconds = Math.max(syncMicroseconds ?? NaN, listMicroseconds ?? NaN) / 1e6
  return CORE_SHARE / (perSecond * seconds)
}

function largest({ growth }: PeopleBench, database: string): Growth {
  const [found] = growth
    .filter((each) => each.database === database)
    .toSorted((a, b) => b.entries - a.entries)
  if (!found) throw new Error(`bench/results.json has no history on ${database}`)
  return found
}

function micros(microseconds: number | null): string {
  return `${whole(microseconds)} µs`
}

function whole(value: number | null): string {
  return value === null ? '?' : value.toFixed(0)
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

/** Two digits say what such an estimate can say. */
function inPeople(value: number): string {
  return `${count(Number(value.toPrecision(2)))} people`
}
