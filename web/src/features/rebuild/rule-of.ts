import type { Ghost } from '@stint/core/traces/ghosts.ts'
import type { TraceRule } from '@stint/core/traces/rules.ts'

/** Returns what a rule of the first proof looks for: an event or a window by its title, all else by where it was. */
export function ruleTextOf({ proofs: [first] }: Pick<Ghost, 'proofs'>): string {
  if (!first) return ''
  return fieldOf(first.kind) === 'title' ? first.title : first.where
}

/** Returns the rule that gives what is like a suggestion to a task; null: it is never suggested again. */
export function ruleOf(ghost: Ghost, id: string, task: string | null): TraceRule {
  const kind = ghost.proofs[0]?.kind ?? null
  return {
    id,
    kind,
    field: kind === null ? 'title' : fieldOf(kind),
    contains: ruleTextOf(ghost),
    task,
    isNoted: kind === 'calendar' || kind === 'git',
  }
}

function fieldOf(kind: NonNullable<TraceRule['kind']>): TraceRule['field'] {
  return kind === 'calendar' || kind === 'activity' ? 'title' : 'where'
}
