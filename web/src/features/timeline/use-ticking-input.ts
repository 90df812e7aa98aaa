import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { useEffect, useState } from 'react'

import { useRecordCommands } from '#hooks/use-record-commands.ts'

/**
 * Returns the input at the current time and updates it every 30 seconds, so that the line of the
 * current time moves even without a running timer.
 */
export function useTickingInput(input: ReportInput): ReportInput {
  const { now } = useRecordCommands()
  const [, setTick] = useState(0)
  useEffect(() => {
    const interval = setInterval(() => setTick((tick) => tick + 1), 30_000)
    return () => clearInterval(interval)
  }, [])
  return { ...input, now: Math.max(input.now, now()) }
}
