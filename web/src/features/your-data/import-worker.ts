/** Recognises and plans an import beside the page, which stays responsive. */
import { planImport, recogniseImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportOptions } from '@stint/core/transfer/entry-import.ts'
import { importIds } from './import-ids.ts'
import type { FromWorker, ToWorker } from './import-messages.ts'

/** How long a plan is made before a message is heard. */
const SLICE_MILLISECONDS = 50

let opened: Extract<ToWorker, { kind: 'open' }> | null = null
let latestJob = -1

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'open') {
    opened = data
    tell({ kind: 'recognised', recognised: recogniseImport(data.text) })
  } else {
    latestJob = data.job
    // What is thrown in a promise is no error of the worker by itself, and the page would wait for ever.
    plan(data).catch(reportError)
  }
})

async function plan({ job, choices }: Extract<ToWorker, { kind: 'plan' }>): Promise<void> {
  if (!opened) return
  const { text, existing, categoryColors, now, firstId } = opened
  const context = { existing, now, ...(categoryColors && { categoryColors }) }
  const options: ImportOptions = { ...choices, ...context, newId: importIds(firstId) }
  // The library for calendars is loaded for them alone.
  const steps = planImport(
    text,
    choices.format === 'calendar'
      ? {
          ...options,
          readCalendar: (await import('@stint/core/transfer/formats/read-calendar.ts'))
            .readCalendar,
        }
      : options,
  )
  let until = performance.now() + SLICE_MILLISECONDS
  for (;;) {
    const step = steps.next()
    if (step.done) return tell({ kind: 'plan', job, plan: step.value })
    if (performance.now() < until) continue
    tell({ kind: 'progress', job, progress: step.value })
    await new Promise((resolve) => setTimeout(resolve))
    // The owner has chosen something else meanwhile.
    if (job !== latestJob) return
    until = performance.now() + SLICE_MILLISECONDS
  }
}

function tell(message: FromWorker): void {
  self.postMessage(message, { transfer: [] })
}
