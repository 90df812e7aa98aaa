/** Reads histories of shells that have times: bash with HISTTIMEFORMAT, zsh with EXTENDED_HISTORY, fish. */
import { t } from '#text.ts'
import { Problems } from './problems.ts'
import { runsOf } from './runs.ts'
import { traceOf } from './trace.ts'
import type { TraceReading } from './trace.ts'

const BASH_TIME = /^#(\d{9,10})$/
const ZSH_COMMAND = /^: (\d{9,10}):(\d+);(.*)$/
const FISH_COMMAND = /^- cmd: (.*)$/
const FISH_TIME = /^ {2}when: (\d{9,10})$/

/** How many programs the title of a run names. */
const MAX_PROGRAMS = 3

interface Command {
  readonly from: number
  readonly to: number
  /** Its first line. */
  readonly text: string
}

/** Returns whether the text is a history with times. */
export function isShellHistory(text: string): boolean {
  const start = text.slice(0, 20_000)
  return (
    /^#\d{9,10}\r?\n[^#\n]/m.test(start) ||
    /^: \d{9,10}:\d+;/m.test(start) ||
    /^- cmd: [^\n]*\n {2}when: \d{9,10}\r?$/m.test(start)
  )
}

/**
 * Returns a trace for each run of commands without a break of ten minutes. Of the commands, only the
 * names of the programs are kept, never what follows them, and the last folder that was entered.
 */
export function readShellHistory(text: string): TraceReading {
  const problems = new Problems()
  const { shell, commands, first } = commandsOf(text.split(/\r?\n/))
  if (first !== null) problems.add(first.line, first.text, t('Has no time.'))
  const traces = runsOf(commands).map((run) => {
    const entered = run.flatMap((command) => folderOf(command.text) ?? [])
    return traceOf({
      kind: 'shell',
      from: run[0].from,
      to: run.reduce((last, { to }) => Math.max(last, to), run[0].to),
      title: programsOf(run).join(', ') || shell,
      where: entered.at(-1) ?? shell,
    })
  })
  return { name: shell, traces, problems: problems.list }
}

/** Returns the commands with times, and the first line before any time. */
function commandsOf(lines: readonly string[]) {
  const commands: Command[] = []
  let shell = 'bash'
  let first: { readonly line: number; readonly text: string } | null = null
  let bashTime: number | null = null
  let fishText = ''
  for (const [index, line] of lines.entries()) {
    const [, bash] = BASH_TIME.exec(line) ?? []
    const [, zsh, seconds, zshText = ''] = ZSH_COMMAND.exec(line) ?? []
    const [, when] = FISH_TIME.exec(line) ?? []
    const [, fish] = FISH_COMMAND.exec(line) ?? []
    if (zsh !== undefined) {
      shell = 'zsh'
      const from = Number(zsh) * 1000
      commands.push({ from, to: from + Number(seconds) * 1000, text: zshText })
    } else if (fish !== undefined) fishText = fish
    else if (when !== undefined) {
      shell = 'fish'
      commands.push({ from: Number(when) * 1000, to: Number(when) * 1000, text: fishText })
    } else if (bash !== undefined) bashTime = Number(bash) * 1000
    else if (bashTime !== null) {
      commands.push({ from: bashTime, to: bashTime, text: line })
      bashTime = null
    } else if (commands.length === 0 && line !== '') first ??= { line: index + 1, text: line }
  }
  return { shell, commands, first }
}

/** Returns the programs of a run, those that ran most often first. */
function programsOf(run: readonly Command[]): string[] {
  const counts = new Map<string, number>()
  for (const { text } of run) {
    const program = programOf(text)
    if (program !== null) counts.set(program, (counts.get(program) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_PROGRAMS)
    .map(([program]) => program)
}

/** Words of shells, and programs that say nothing of the work. */
const NO_PROGRAMS: ReadonlySet<string> = new Set(
  'cd ls pwd exit clear echo for do done if then else fi while until case esac export alias'.split(
    ' ',
  ),
)

/** Returns 'npm' for 'CI=1 sudo /usr/bin/npm test'; null for what is no plain name, or moves within the shell. */
function programOf(text: string): string | null {
  const words = text.trim().split(/\s+/)
  const word = words.find((each) => !/^\w+=/.test(each) && each !== 'sudo') ?? ''
  const name = word.split('/').at(-1) ?? ''
  return /^\w[\w.+-]{0,29}$/.test(name) && !NO_PROGRAMS.has(name) ? name : null
}

/** Returns the last part of the path of 'cd ~/src/acme-site'; null for other commands. */
function folderOf(text: string): string | null {
  const [, path = ''] = /^\s*cd\s+["']?([^"'&;|]+?)["']?\s*(?:$|[&;|])/.exec(text) ?? []
  const name = path.split('/').findLast((part) => part !== '') ?? ''
  return /^\w[\w .+-]*$/.test(name) ? name : null
}
