import { Pencil } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  categoriesOf,
  categoryKey,
  categoryProblem,
  categorySign,
  colorOfCategory,
  MAX_CATEGORY_COLORS,
} from '@stint/core/record/category.ts'
import type { Category } from '@stint/core/record/category.ts'
import { storedColor, TASK_COLORS } from '@stint/core/record/task.ts'
import { mergesInto } from './rename-category.ts'
import { t } from '@stint/core/text.ts'
import { useCategories } from '#hooks/use-categories.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form } from '#ui/form.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Dot } from '#ui/row.tsx'
import { PendingFigure } from '#ui/skeleton.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { Colors } from './colors.tsx'
import { useCategoryCommands } from './use-category-commands.ts'
import { useTaskTimes } from './use-task-times.ts'

/** The categories with their tasks and times: each can be renamed, merged into another one, and have another colour. */
export function CategoriesDialog({
  onShow,
  onClose,
}: {
  /** Called with the text that finds the tasks of a category. */
  onShow: (search: string) => void
  onClose: () => void
}) {
  const { allTasks } = useTasks()
  const [edited, setEdited] = useState<string | null>(null)
  const category = categoriesOf(allTasks).find(({ key }) => key === edited)
  return (
    <Dialog
      open
      wide={!category}
      title={category ? t('Edit category') : t('Categories')}
      onClose={onClose}
    >
      {category ? (
        <CategoryForm key={category.key} category={category} onClose={() => setEdited(null)} />
      ) : (
        <CategoryList
          onEdit={setEdited}
          onShow={(name) => {
            onShow(categorySign(name))
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

function CategoryList({
  onEdit,
  onShow,
}: {
  onEdit: (key: string) => void
  onShow: (name: string) => void
}) {
  const { allTasks } = useTasks()
  const { colors } = useCategories()
  const { complete } = useEntries()
  const { duration } = useFormats()
  const times = useTaskTimes()
  const rows = useMemo(
    () =>
      categoriesOf(allTasks).map((category) => ({
        ...category,
        active: category.tasks.filter(({ isActive }) => isActive).length,
        seconds: category.tasks.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0),
      })),
    [allTasks, times],
  )
  return (
    <ul aria-label={t('Categories')} className="divide-y divide-line">
      {rows.map(({ key, name, active, seconds }) => (
        <li key={key} className="flex min-h-12 items-center gap-3 py-1 md:min-h-11">
          <Dot tintName={colorOfCategory(key, colors)} />
          <span className="flex min-w-0 flex-1 flex-col gap-x-3 md:flex-row md:items-baseline md:justify-between">
            {key === '' ? (
              <span className="text-ink">{t('No category')}</span>
            ) : (
              <button
                type="button"
                dir="auto"
                title={t('Show its tasks')}
                onClick={() => onShow(name)}
                className="name min-w-0 rounded-control text-start font-semibold text-ink hover:underline"
              >
                {name}
              </button>
            )}
            <span className="figures shrink-0 text-sm">
              {t('{count, plural, =0 {No tasks} one {# task} other {# tasks}}', { count: active })}
              {' · '}
              {complete ? duration(seconds) : <PendingFigure />}
            </span>
          </span>
          <IconButton
            icon={Pencil}
            label={t('Edit {category}', { category: key === '' ? t('No category') : name })}
            onClick={() => onEdit(key)}
          />
        </li>
      ))}
    </ul>
  )
}

function CategoryForm({ category, onClose }: { category: Category; onClose: () => void }) {
  const { allTasks } = useTasks()
  const { colors } = useCategories()
  const { rename, recolor } = useCategoryCommands()
  const [name, setName] = useState(category.name)
  const before = storedColor(colorOfCategory(category.key, colors))
  const [color, setColor] = useState(before)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const problem = name === category.name ? null : categoryProblem(name)
  const chosen = TASK_COLORS.find((each) => storedColor(each) === color)
  const isMerge = mergesInto(allTasks, category.name, name)
  const other = isMerge && categoriesOf(allTasks).find(({ key }) => key === categoryKey(name))
  const isFull = colors.size >= MAX_CATEGORY_COLORS && !colors.has(category.key)

  async function save(merges = false) {
    setIsSubmitted(true)
    if (problem !== null) return
    if (isMerge && !merges) return setRefused(name)
    const isRenamed = name.trim() !== category.name
    const isRecolored = chosen !== undefined && color !== before && !isMerge && !isFull
    if (isRenamed && !(await rename(category.name, name, isRecolored ? chosen : null))) return
    if (!isRenamed && isRecolored && !(await recolor(category.name, chosen))) return
    onClose()
  }

  return (
    <Form noValidate className="flex flex-col gap-4" onSend={() => save()}>
      <TextField
        label={t('Name')}
        data-autofocus=""
        ref={takeFocus}
        autoComplete="off"
        value={name}
        error={isSubmitted ? problem : null}
        onChange={({ target }) => setName(target.value)}
      />
      <Colors value={color} hasAutomatic={false} onChange={setColor} />
      {isFull && (
        <p className="text-sm">
          {t('You can choose the colours of {max} categories.', { max: MAX_CATEGORY_COLORS })}
        </p>
      )}
      {other && refused === name && (
        <div role="alert" className="flex flex-col gap-2 rounded-control border border-line p-3">
          <p className="text-sm break-words">
            {t(
              'You already have a category “{name}”. Merged, both have its name, its colour and its rates.',
              { name: other.name },
            )}
          </p>
          <Button size="small" className="self-start" onClick={() => void save(true)}>
            {t('Merge with it')}
          </Button>
        </div>
      )}
      <FormActions>
        <Button type="submit" variant="primary">
          {t('Save')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </FormActions>
    </Form>
  )
}
