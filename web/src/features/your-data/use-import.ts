/** Plans an import in a worker. */
import { useEffect, useRef, useState } from 'react'
import type { CategoryColors } from '@stint/core/record/category.ts'
import type { RecognisedImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportPlan, PlanContext } from '@stint/core/transfer/import-plan.ts'
import type { FromWorker, ImportChoices, ToWorker } from './import-messages.ts'

export interface OpenedFile {
  readonly text: string
  readonly existing: PlanContext['existing']
  readonly categoryColors: CategoryColors
  /** Epoch milliseconds. */
  readonly now: number
  readonly firstId: string
}

export interface Planning {
  /** Null until the worker has looked at the file. */
  readonly recognised: RecognisedImport | null
  /** The last complete plan; null until there is one. */
  readonly plan: ImportPlan | null
  /** False while a plan is made with other choices. */
  readonly isCurrent: boolean
  /** Of the plan that is made: 0 to 1. */
  readonly progress: number
  readonly hasFailed: boolean
}

/** A value, and the choices that it is of. */
interface Of<T> {
  readonly value: T
  readonly choices: ImportChoices | null
}

/**
 * Returns the plan of a file, which must stay the same. Plans again when the choices change; stops on
 * unmount. `choices` is null until the file is recognised.
 */
export function useImport(file: OpenedFile, choices: ImportChoices | null): Planning {
  const worker = useRef<Worker>(null)
  const asked = useRef<{ readonly job: number; readonly choices: ImportChoices | null }>({
    job: 0,
    choices: null,
  })
  const [recognised, setRecognised] = useState<RecognisedImport | null>(null)
  const [made, setMade] = useState<Of<ImportPlan | null>>({ value: null, choices: null })
  const [progress, setProgress] = useState<Of<number>>({ value: 0, choices: null })
  const [hasFailed, setHasFailed] = useState(false)

  useEffect(() => {
    const started = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' })
    started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'recognised') return setRecognised(data.recognised)
      if (data.job !== asked.current.job) return
      const { choices: of } = asked.current
      if (data.kind === 'plan') setMade({ value: data.plan, choices: of })
      else setProgress({ value: data.progress, choices: of })
    })
    started.addEventListener('error', () => setHasFailed(true))
    send(started, { kind: 'open', ...file })
    worker.current = started
    return () => started.terminate()
  }, [file])

  useEffect(() => {
    if (!worker.current || !choices) return
    const job = asked.current.job + 1
    asked.current = { job, choices }
    send(worker.current, { kind: 'plan', job, choices })
  }, [choices])

  return {
    recognised,
    plan: made.value,
    isCurrent: made.choices === choices,
    progress: progress.choices === choices ? progress.value : 0,
    hasFailed,
  }
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message, [])
}
