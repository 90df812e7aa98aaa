import { nameInReports } from '@stint/core/record/task.ts'
import type { TraceRule } from '@stint/core/traces/rules.ts'
import { t } from '@stint/core/text.ts'
import { ArrowUp, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { useTasks } from '#hooks/use-tasks.ts'
import { useTraces } from '#hooks/use-traces.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Panel } from '#ui/row.tsx'
import { offerUndo } from '#ui/undo.ts'
import { KIND_WORDS } from '#hooks/proof-words.ts'
import { RuleDialog } from './rule-dialog.tsx'

/** The rules that were made by picking tasks, to change, move and delete. The first one that fits a trace decides. */
export function Rules({ rules }: { rules: readonly TraceRule[] }) {
  const { allTasks } = useTasks()
  const { traces } = useTraces()
  const [edited, setEdited] = useState<TraceRule | null>(null)

  function save(before: TraceRule, after: TraceRule) {
    setEdited(null)
    void traces.change('putRule', after)
    offerUndo(t('Rule changed'), () => traces.change('putRule', before))
  }

  return (
    <Panel className="divide-y divide-line px-4">
      {rules.map((rule, index) => {
        const task = allTasks.find(({ id }) => id === rule.task)
        const about = rule.kind === null ? '' : KIND_WORDS[rule.kind]
        return (
          <LabelledRow
            key={rule.id}
            label={
              rule.task === null
                ? t('“{what}” is never suggested', { what: rule.contains })
                : t('“{what}” is {task}', {
                    what: rule.contains,
                    task: task ? nameInReports(task) : t('a deleted task'),
                  })
            }
            hint={about}
          >
            <span className="flex">
              {index > 0 && (
                <IconButton
                  icon={ArrowUp}
                  label={t('Move the rule for “{what}” up', { what: rule.contains })}
                  onClick={() => void traces.change('raiseRule', rule.id)}
                />
              )}
              <IconButton
                icon={Pencil}
                label={t('Edit the rule for “{what}”', { what: rule.contains })}
                onClick={() => setEdited(rule)}
              />
              <IconButton
                icon={Trash2}
                label={t('Delete the rule for “{what}”', { what: rule.contains })}
                onClick={() => {
                  void traces.change('removeRule', rule.id)
                  offerUndo(t('Rule deleted'), () => traces.change('putRule', rule))
                }}
              />
            </span>
          </LabelledRow>
        )
      })}
      {edited && (
        <RuleDialog
          rule={edited}
          onSave={(after) => save(edited, after)}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  )
}
