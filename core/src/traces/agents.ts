/** Reads the logs of coding agents: a line of JSON for each step, with a time. */
import { isFields, isNumber, isText } from '#guards.ts'
import { t } from '#text.ts'
import { Problems } from './problems.ts'
import { runsOf } from './runs.ts'
import { traceOf } from './trace.ts'
import type { TraceReading } from './trace.ts'

const TIMES = ['timestamp', 'time', 'ts', 'created_at'] as const
/** The first lines may have no time. */
const LINES_TO_LOOK_AT = 20

interface Step {
  readonly from: number
  readonly to: number
  /** The folder that the agent works in, as far as it is known by then. */
  readonly where: string
  /** What its owner asked for; '' for other steps. */
  readonly asked: string
}

/** Returns whether the text has a line of JSON with a time among its first ones. */
export function isAgentLog(text: string): boolean {
  const lines = text.replace(/^\uFEFF/, '').split('\n', LINES_TO_LOOK_AT)
  return (
    text.includes('\n') &&
    lines.every((line) => line.trim() === '' || line.startsWith('{')) &&
    lines.some((line) => timeOf(parsed(line)) !== null)
  )
}

/**
 * Returns a trace for each run of steps without a break of ten minutes. The folder is its place; the
 * first thing that its owner asked for is the title.
 */
export function readAgentLog(text: string): TraceReading {
  const problems = new Problems()
  const steps: Step[] = []
  let where = ''
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '') continue
    const value = parsed(line)
    if (value === null) problems.add(index + 1, line, t('This line cannot be read.'))
    where = folderIn(value) ?? where
    const at = timeOf(value)
    if (at !== null) steps.push({ from: at, to: at, where, asked: askedIn(value) })
  }
  const traces = runsOf(steps).map((run) => {
    const place = run.findLast((step) => step.where !== '')?.where ?? ''
    return traceOf({
      kind: 'agent',
      from: run[0].from,
      to: run.at(-1)?.to ?? run[0].to,
      title: run.find(({ asked }) => asked !== '')?.asked ?? place,
      where: place,
    })
  })
  return { name: where, traces, problems: problems.list }
}

type Line = Readonly<Record<string, unknown>>

function parsed(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line)
    return isFields(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the time of a line in epoch milliseconds: a text, or a number of seconds or milliseconds. */
function timeOf(line: Line | null): number | null {
  const value = TIMES.map((name) => line?.[name]).find((each) => each !== undefined)
  if (isNumber(value)) return value < 1e11 ? value * 1000 : value
  const at = isText(value) ? Date.parse(value) : NaN
  return Number.isNaN(at) ? null : at
}

/** Returns the last part of the folder that a line names; null without one. */
function folderIn(line: Line | null): string | null {
  const payload = line?.['payload']
  const path = line?.['cwd'] ?? (isFields(payload) ? payload['cwd'] : undefined)
  if (!isText(path)) return null
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? null
}

/** Returns the text of a person in a line; '' for the words of programs. */
function askedIn(line: Line | null): string {
  const message = [line?.['message'], line?.['payload'], line].find(
    (each) => isFields(each) && (each['role'] === 'user' || each['type'] === 'user_message'),
  )
  if (!isFields(message)) return ''
  const content = message['content'] ?? message['message']
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  const texts = parts.flatMap((part) => {
    const text = isFields(part) ? part['text'] : part
    return isText(text) ? text.trim() : []
  })
  // Programs wrap what they add in tags.
  return texts.find((text) => text !== '' && !text.startsWith('<')) ?? ''
}
