/** The categories of the user's tasks. */
import { categoryColors, knownCategories, usesCategories } from '@stint/core/record/category.ts'
import type { CategoryColors } from '@stint/core/record/category.ts'
import { useMemo } from 'react'

import { useLocalTasks, useValue } from '#session/signed-in.ts'

export interface Categories {
  /** The names that a field offers: those in use, then the other defaults. */
  readonly names: readonly string[]
  /** The colours that were chosen. */
  readonly colors: CategoryColors
  /** Whether the user has any but the default one. */
  readonly areUsed: boolean
}

/** Returns the categories and re-renders when they change. */
export function useCategories(): Categories {
  const tasks = useLocalTasks()
  const colors = useCategoryColors()
  return useMemo(
    () => ({ names: knownCategories(tasks), colors, areUsed: usesCategories(tasks) }),
    [tasks, colors],
  )
}

/** Returns the colours that were chosen for categories. */
export function useCategoryColors(): CategoryColors {
  const prefs = useValue('settings')?.prefs
  return categoryColors(prefs ?? NO_PREFS)
}

const NO_PREFS = {}
