/** Loaded into a server by the benchmark: says how late its event loop was, when asked by a signal. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const histogram = monitorEventLoopDelay({ resolution: 1 })
histogram.enable()
process.on('SIGCONT', () => {
  const [p99, max] = [histogram.percentile(99), histogram.max].map((delay) => delay / 1e6)
  console.log(`loop ${p99} ${max}`)
  histogram.reset()
})
