/** Reads what git knows: the lines of `GIT_COMMAND`, and those of '.git/logs/HEAD'. */
import { t } from '#text.ts'
import { Problems } from './problems.ts'
import { traceOf } from './trace.ts'
import type { Trace, TraceReading } from './trace.ts'

/**
 * The command whose output is read. Its owner runs it in a repository, in any shell: git itself says
 * who commits and where.
 */
export const GIT_COMMAND =
  'git log --all --no-merges --since="1 year ago" --author="$(git config user.email)" --pretty="git%x09$(git rev-parse --show-toplevel)%x09%h%x09%aI%x09%s"'

const COMMIT =
  /^git\t([^\t]*)\t([0-9a-f]{4,64})\t(\d{4}-\d\d-\d\dT[\d:]{8}(?:Z|[+-]\d\d:?\d\d))\t(.*)$/
/** 'old new Ann <ann@example.org> 1700000000 +0100<tab>commit: subject'. */
const REFLOG = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) .*? <.*?> (\d{9,11}) [+-]\d{4}\t(.*)$/
const COMMITTED = /^commit(?: \((?:amend|initial|merge|cherry-pick)\))?: (.*)$/

/** Returns whether the text is the output of the command. */
export function isGitLog(text: string): boolean {
  return /^\uFEFF?git\t[^\t\n]*\t[0-9a-f]{4,64}\t/.test(text)
}

/** Returns whether the text is a log of HEAD. */
export function isReflog(text: string): boolean {
  return /^\uFEFF?[0-9a-f]{40,64} [0-9a-f]{40,64} [^\n]*<[^\n]*> \d{9,11} [+-]\d{4}\t/.test(text)
}

/** Returns the commits, each a point in time; the repository is the last folder of its path. */
export function readGitLog(text: string): TraceReading {
  const problems = new Problems()
  const traces: Trace[] = []
  for (const [index, line] of linesOf(text)) {
    const [, path = '', hash = '', time = '', subject = ''] = COMMIT.exec(line) ?? []
    const at = Date.parse(time)
    if (Number.isNaN(at)) problems.add(index, line, t('This line cannot be read.'))
    else traces.push(commit(at, subject, lastFolder(path), hash))
  }
  return { name: traces[0]?.where ?? '', traces, problems: problems.list }
}

/**
 * Returns the commits in a log of HEAD. It does not name its repository, which has the name of the
 * file. Lines about other moves of HEAD, such as checkouts, say nothing.
 */
export function readReflog(text: string, name: string): TraceReading {
  const problems = new Problems()
  const traces: Trace[] = []
  for (const [index, line] of linesOf(text)) {
    const [, hash = '', seconds, what = ''] = REFLOG.exec(line) ?? []
    if (seconds === undefined) {
      problems.add(index, line, t('This line cannot be read.'))
      continue
    }
    const [, subject] = COMMITTED.exec(what) ?? []
    if (subject !== undefined) {
      traces.push(commit(Number(seconds) * 1000, subject, name, hash.slice(0, 12)))
    }
  }
  return { name, traces, problems: problems.list }
}

function commit(at: number, title: string, where: string, detail: string): Trace {
  return traceOf({ kind: 'git', from: at, to: at, title, where, detail })
}

function lastFolder(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? ''
}

/** Returns the lines that are not empty, with their numbers from 1. */
function linesOf(text: string): (readonly [number, string])[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => (line === '' ? [] : [[index + 1, line] as const]))
}
