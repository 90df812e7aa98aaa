/**
 * Plans an import in short slices, so that the page stays responsive over tens of thousands of rows.
 */
import { planImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportOptions } from '@stint/core/transfer/entry-import.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { useEffect, useState } from 'react'

/** The length of a slice: half a frame. */
const SLICE_MILLISECONDS = 8

export interface Planning {
  /** Null until the plan is complete. */
  readonly plan: ImportPlan | null
  /** 0 to 1. */
  readonly progress: number
}

const PENDING: Planning = { plan: null, progress: 0 }

/** Returns the plan. Plans again when the options change; stops on unmount. */
export function usePlan(text: string, options: ImportOptions): Planning {
  const [made, setMade] = useState<Planning & { readonly of: ImportOptions | null }>({
    ...PENDING,
    of: null,
  })

  useEffect(() => {
    const steps = planImport(text, options)
    let timeout = setTimeout(plan)
    function plan() {
      const until = performance.now() + SLICE_MILLISECONDS
      for (;;) {
        const step = steps.next()
        if (step.done) return setMade({ plan: step.value, progress: 1, of: options })
        if (performance.now() < until) continue
        setMade({ plan: null, progress: step.value, of: options })
        timeout = setTimeout(plan)
        return
      }
    }
    return () => clearTimeout(timeout)
  }, [text, options])

  return made.of === options ? made : PENDING
}
