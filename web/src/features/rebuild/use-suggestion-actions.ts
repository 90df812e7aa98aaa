import { newEntry } from '@stint/core/record/entry-edit.ts'
import type { Task } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import type { Ghost } from '@stint/core/traces/ghosts.ts'

import { openEditor } from '#hooks/requests.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useTraces } from '#hooks/use-traces.ts'
import { keepFocusInList } from '#ui/keep-focus-in-list.ts'
import { offerUndo } from '#ui/undo.ts'
import { ruleOf, ruleTextOf } from './rule-of.ts'
import type { SuggestionActions } from './suggestion.tsx'

/** Returns what can be done with suggestions. Each can be undone. */
export function useSuggestionActions(): SuggestionActions & {
  readonly acceptAll: (ghosts: readonly Ghost[]) => void
} {
  const { change, newId, now } = useRecordCommands()
  const { traces } = useTraces()

  function accept(ghosts: readonly Ghost[], message: string, newTasks: readonly Task[] = []) {
    keepFocusInList()
    const entries = ghosts.flatMap(({ task, start, end, note }) => {
      if (task === null) return []
      const session = { id: newId(), taskId: task, startedAt: start, endedAt: end }
      return [newEntry({ ...session, note: note || null }, now())]
    })
    void change({ entries, newTasks }, message)
  }

  return {
    accept: (ghost) => accept([ghost], t('Session added')),
    acceptAll: (ghosts) =>
      accept(
        ghosts,
        t('{count, plural, one {# session added} other {# sessions added}}', {
          count: ghosts.length,
        }),
      ),
    edit: ({ start, end, task, note }) =>
      openEditor({
        kind: 'add',
        startedAt: start,
        endedAt: end,
        note,
        ...(task !== null && { taskId: task }),
      }),
    dismiss(ghost) {
      keepFocusInList()
      void traces.change('dismiss', ghost)
      offerUndo(t('Suggestion dismissed'), () => traces.change('restore', ghost.id))
    },
    pick(ghost, picked) {
      const id = newId()
      const task = picked === null || typeof picked === 'string' ? picked : picked.id
      // A device in use says nothing of its tasks, so there is nothing to make a rule of.
      if (ghost.why.time === 'presence') {
        const newTasks = picked !== null && typeof picked !== 'string' ? [picked] : []
        accept([{ ...ghost, task }], t('Session added'), newTasks)
        return
      }
      const rule = ruleOf(ghost, id, task)
      if (picked !== null && typeof picked !== 'string')
        void change({ newTasks: [picked] }, t('Created {task}', { task: picked.name }))
      void traces.change('putRule', rule)
      const what = ruleTextOf(ghost)
      const message =
        task === null
          ? t('“{what}” is never suggested', { what })
          : t('Rule added for “{what}”', { what })
      offerUndo(message, () => traces.change('removeRule', id))
    },
  }
}
