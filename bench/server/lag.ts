/** Loaded into a server by the benchmark. On a signal it prints the delay of the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const histogram = monitorEventLoopDelay({ resolution: 1 })
histogram.enable()
process.on('SIGCONT', () => {
  const [p99, max] = [histogram.percentile(99), histogram.max].map((delay) => delay / 1e6)
  console.log(`loop ${p99} ${max}`)
  histogram.reset()
})
