/** What the list says of a session about invoices. */
import { billedBy } from '@stint/core/record/billable.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { useMemo } from 'react'

import { useHasRates, useUnbilled } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'

export type Billing = 'billable' | 'invoiced'

/** Returns a function that says what is known of a session. Without rates, nothing is said about what is billable. */
export function useBilling(): (entry: TimeEntry) => Billing | null {
  const { allTasks } = useTasks()
  const unbilled = useUnbilled()
  const saysBillable = useHasRates()
  return useMemo(() => {
    const isBilled = saysBillable ? billedBy(allTasks, unbilled) : () => false
    return (entry) => {
      if (entry.invoiced !== null) return 'invoiced'
      return isBilled(entry) ? 'billable' : null
    }
  }, [allTasks, unbilled, saysBillable])
}
