/** Reads and keeps traces beside the page. */
import { keepTraces } from './kept-traces.ts'
import type { KeptTraces } from './kept-traces.ts'
import type { FromWorker, ToWorker } from './traces.ts'

let kept: Promise<KeptTraces> | null = null

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  const { job, userId, method, input } = data
  kept ??= keepTraces(userId)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page sends what the method takes
  const run = (traces: KeptTraces) => (traces[method] as (...input: unknown[]) => unknown)(...input)
  kept
    .then(run)
    .then((value) => tell({ job, value }))
    .catch((error: unknown) => {
      tell({ job, error: error instanceof Error ? error.message : String(error) })
    })
})

function tell(message: FromWorker): void {
  self.postMessage(message, { transfer: [] })
}
