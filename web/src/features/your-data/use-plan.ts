/** The plan of an import, made between frames: the page stays alive over tens of thousands of rows. */
import { planImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportOptions } from '@stint/core/transfer/entry-import.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { useEffect, useState } from 'react'

/** So long is planned at a stretch: half a frame. */
const STRETCH_MILLISECONDS = 8

export interface Planning {
  /** Null while it is being made. */
  readonly plan: ImportPlan | null
  /** 0 … 1. */
  readonly progress: number
}

const BEGUN: Planning = { plan: null, progress: 0 }

/** Plans anew whenever the options are others; stops when nobody looks any more. */
export function usePlan(text: string, options: ImportOptions): Planning {
  const [made, setMade] = useState<Planning & { readonly of: ImportOptions | null }>({
    ...BEGUN,
    of: null,
  })

  useEffect(() => {
    const steps = planImport(text, options)
    let timeout = setTimeout(plan)
    function plan() {
      const until = performance.now() + STRETCH_MILLISECONDS
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

  return made.of === options ? made : BEGUN
}
