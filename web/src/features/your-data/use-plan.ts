/** Plans an import in short slices: a file may have tens of thousands of rows. */
import { planImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportOptions } from '@stint/core/transfer/entry-import.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { useCallback } from 'react'

import { useSteps } from './use-steps.ts'

export interface Planning {
  /** Null until the plan is complete. */
  readonly plan: ImportPlan | null
  /** 0 to 1. */
  readonly progress: number
}

/** Returns the plan. Plans again when the options change; stops on unmount. */
export function usePlan(text: string, options: ImportOptions): Planning {
  const { result, progress } = useSteps(
    useCallback(() => planImport(text, options), [text, options]),
  )
  return { plan: result, progress }
}
