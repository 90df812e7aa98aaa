/**
 * The tools of assistants. Their descriptions stay short, because an assistant reads all of them in every
 * conversation. Every answer with a figure has a link to the page of the app that lists the sessions of that figure.
 */
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { ProposedChange } from '@stint/core/record/proposal.ts'
import { filterText } from '@stint/core/record/saved-filters.ts'
import { storedTargets } from '@stint/core/targets/targets.ts'
import { localDate } from '@stint/core/time/calendar.ts'
import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import { DEFAULT_LIMIT } from '#api/params.ts'
import { toStart, toStop } from '#api/calls.ts'
import { dayRuleFor } from '#api/person.ts'
import type { Person } from '#api/person.ts'
import { GROUPINGS } from '#api/reports.ts'
import type { Work } from '#api/writes.ts'
import type { Histories } from '#history/histories.ts'
import { compileCheck, existingId, text } from '#http/params.ts'
import { isPlainObject } from '#json.ts'
import type { KeyAccess } from '#storage/schema.ts'
import { CHANGES } from './propose.ts'

/** What a call has beside its arguments. */
export interface ToolContext {
  readonly person: Person
  readonly histories: Histories
  /** The address of the app. */
  readonly publicUrl: string
  /** Counts a search against its limit. @throws ApiError general_rate_limit_exceeded. */
  readonly countSearch: () => void
  /** Stores a proposal. Returns its id. */
  readonly propose: (reason: string, changes: readonly ProposedChange[]) => Promise<string>
  /** Runs work in one transaction, and again if a device was faster. */
  readonly write: <Answer>(work: Work<Answer>) => Promise<Answer>
}

/** A tool with its arguments, checked when it is called. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** What a key must be allowed to do. */
  readonly access: KeyAccess
  /** Whether a call can end or replace what there is. */
  readonly isDestructive: boolean
  readonly schema: TObject
  /** @throws ApiError general_argument_invalid, and what the call throws. */
  readonly call: (sent: Record<string, unknown>, context: ToolContext) => Promise<object>
}

/** The time zone is an argument of every tool: `timeZoneOf` reads it. */
const zone = {
  timeZone: Type.Optional(described(text(1, 64), 'IANA zone; only if the settings have none')),
}
const at = Type.Optional(
  described(text(1, 64), 'not in the future: 9:05, 10m ago or ISO; default now'),
)
const filter = Type.Optional(
  described(
    text(0, 500),
    'words "exact words" #tag @category task:x last month 2026-03 >2h -not, or the name of a saved one',
  ),
)

const now = tool({
  name: 'now',
  access: 'read',
  description: 'The running timer, the seconds worked today, targets, and overtime with its parts.',
  schema: Type.Object(zone),
  async call(_, { person, histories, publicUrl, countSearch }) {
    const today = localDate(person.now, dayRuleFor(person))
    const explain = linkTo(publicUrl, { explain: `${today}..${today}` })
    const hasBalance = person.account.contracts.length > 0
    // Goals of tasks need no more of the history than the work of today.
    if (hasBalance || storedTargets(person.prefs).length > 0) countSearch()
    const asked = { person, query: {}, publicUrl }
    const { targets } = await histories.read('targets', person.owner, asked)
    return {
      ...(await histories.read('now', person.owner, person)),
      explain,
      ...(targets.length > 0 && { targets }),
      ...(hasBalance && { balance: await histories.read('balance', person.owner, asked) }),
    }
  },
})

const start = tool({
  name: 'start',
  access: 'write',
  isDestructive: true,
  description:
    'Starts a timer; a running one is stopped and saved. Give one of task, taskId, newTask.',
  schema: Type.Object({
    task: Type.Optional(described(text(1, 255), 'name or part of it; created if none fits')),
    taskId: Type.Optional(existingId),
    newTask: Type.Optional(described(text(1, 255), 'name, if others fit a part of it')),
    category: Type.Optional(described(text(1, 64), 'of task or newTask: client, project')),
    note: Type.Optional(text(0, 2000)),
    at,
    ...zone,
  }),
  async call(sent, { person, histories, publicUrl, write }) {
    const answer = await write(await toStart(histories, person, sent))
    const ids = [answer.timer.id, ...(answer.stopped === null ? [] : [answer.stopped.id])]
    return { ...answer, explain: linkTo(publicUrl, { explain: ids.join(',') }) }
  },
})

const stop = tool({
  name: 'stop',
  access: 'write',
  isDestructive: true,
  description: 'Stops the timer and saves its session.',
  schema: Type.Object({ at, ...zone }),
  async call(sent, { person, publicUrl, write }) {
    const { session } = await write(toStop(person, sent))
    return { session, explain: session && linkTo(publicUrl, { explain: session.id }) }
  },
})

const findSessions = tool({
  name: 'find_sessions',
  access: 'read',
  description: 'Saved sessions, newest first, and the sum of all that were found.',
  schema: Type.Object({
    filter,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: `default ${DEFAULT_LIMIT}` }),
    ),
    cursor: Type.Optional(described(text(1, 64), 'next of the page before')),
    ...zone,
  }),
  async call(query, { person, histories, publicUrl, countSearch }) {
    countSearch()
    const explain = linkTo(
      publicUrl,
      query.filter ? { q: filterText(query.filter, person.filters) } : {},
    )
    return { ...(await histories.read('find', person.owner, { person, query })), explain }
  },
})

const total = tool({
  name: 'total',
  access: 'read',
  description: 'Seconds worked in a period, the running timer included; all time without one.',
  schema: Type.Object({
    period: Type.Optional(described(text(1, 64), 'today, last 30 days, 3-17 nov, 2026-03, Q3')),
    from: Type.Optional(described(text(1, 10), 'first day, instead of period')),
    to: Type.Optional(described(text(1, 10), 'last day')),
    filter,
    by: Type.Optional(Type.Enum([...GROUPINGS])),
    ...zone,
  }),
  async call(query, { person, histories, publicUrl, countSearch }) {
    countSearch()
    return histories.read('total', person.owner, { person, query, publicUrl })
  },
})

const proposeChanges = tool({
  name: 'propose_changes',
  access: 'write',
  description:
    'Proposes to add, change or delete saved sessions. Nothing changes until the owner accepts at the review link.',
  schema: Type.Object({
    reason: described(text(1, 500), 'for the owner'),
    changes: CHANGES,
    ...zone,
  }),
  async call({ reason, changes }, { person, histories, publicUrl, countSearch, propose }) {
    countSearch()
    const read = await histories.read('changes', person.owner, { person, changes })
    const id = await propose(reason, read)
    return { id, changes: read.length, review: `${publicUrl}/data` }
  },
})

/** All tools. */
export const TOOLS: readonly Tool[] = [now, start, stop, findSessions, total, proposeChanges]

/** Returns the time zone among the arguments of a call; null: there is none. */
export function timeZoneOf({ timeZone }: Record<string, unknown>): string | null {
  return typeof timeZone === 'string' ? timeZone : null
}

/** Returns a tool as the protocol lists it: its schema without Stint's own keyword. */
export function listedTool({ name, description, access, isDestructive, schema }: Tool): ListedTool {
  const inputSchema: ListedTool['inputSchema'] = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'refusal' ? undefined : value)),
  )
  return {
    name,
    description,
    inputSchema,
    annotations:
      access === 'read'
        ? { readOnlyHint: true, openWorldHint: false }
        : { destructiveHint: isDestructive, openWorldHint: false },
  }
}

/** Makes a tool whose arguments have the types of its schema. */
function tool<Schema extends TObject>({
  isDestructive = false,
  schema,
  call,
  ...named
}: Pick<Tool, 'name' | 'description' | 'access'> & {
  readonly isDestructive?: boolean
  readonly schema: Schema
  readonly call: (sent: Static<Schema>, context: ToolContext) => Promise<object>
}): Tool {
  const check = compileCheck({ schema, method: 'POST', url: '/mcp', httpPart: 'body' })
  return {
    ...named,
    isDestructive,
    schema,
    call: async (sent, context) => {
      const checked = check(sent)
      if (isPlainObject(checked) && checked['error'] instanceof Error) throw checked['error']
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked
      return call(sent as Static<Schema>, context)
    },
  }
}

function described<Schema extends ReturnType<typeof text>>(schema: Schema, description: string) {
  return Type.With(schema, { description })
}

/** Returns the address of the page Sessions with these parameters. */
function linkTo(publicUrl: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString()
  return `${publicUrl}/sessions${text === '' ? '' : `?${text}`}`
}
