import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import { expect, test } from 'vitest'
import { createRegistry } from './exposition.ts'

test('counters and gauges are read by an independent parser', async () => {
  const registry = createRegistry()
  const replies = registry.counters('replies_total', 'Replies.', ['route', 'status'])
  replies.with('/v1/x', '2xx').add()
  replies.with('/v1/x', '2xx').add(2)
  replies.with('/v1/x', '4xx').add()
  registry.counter('alone_total', 'Without labels.').add(7)
  registry.gauge('size_bytes', 'Size.', async () => 4096)
  registry.countedElsewhere('cpu_seconds_total', 'Time.', () => 1.5)
  registry.info('about', 'Versions.', { version: '1.0.0' })
  expect(parsePrometheusTextFormat(await registry.text())).toEqual([
    {
      name: 'replies_total',
      help: 'Replies.',
      type: 'COUNTER',
      metrics: [
        { labels: { route: '/v1/x', status: '2xx' }, value: '3' },
        { labels: { route: '/v1/x', status: '4xx' }, value: '1' },
      ],
    },
    { name: 'alone_total', help: 'Without labels.', type: 'COUNTER', metrics: [{ value: '7' }] },
    { name: 'size_bytes', help: 'Size.', type: 'GAUGE', metrics: [{ value: '4096' }] },
    { name: 'cpu_seconds_total', help: 'Time.', type: 'COUNTER', metrics: [{ value: '1.5' }] },
    {
      name: 'about',
      help: 'Versions.',
      type: 'GAUGE',
      metrics: [{ labels: { version: '1.0.0' }, value: '1' }],
    },
  ])
})

test('a histogram has cumulative buckets, a sum and a count for each of its labels', async () => {
  const registry = createRegistry()
  const alone = registry.histograms('took_seconds', 'Time.', [], [0.1, 1])
  for (const seconds of [0.05, 0.1, 0.5, 3]) alone.with().observe(seconds)
  expect(parsePrometheusTextFormat(await registry.text())).toEqual([
    {
      name: 'took_seconds',
      help: 'Time.',
      type: 'HISTOGRAM',
      metrics: [{ buckets: { 0.1: '2', 1: '3', '+Inf': '4' }, count: '4', sum: '3.65' }],
    },
  ])
  // The parser does not tell apart the labels of histograms.
  const labelled = createRegistry()
  const took = labelled.histograms('took_seconds', 'Time.', ['route'], [0.1])
  took.with('/a').observe(0.05)
  took.with('/b').observe(2)
  expect(await labelled.text()).toBe(`# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{route="/a",le="0.1"} 1
took_seconds_bucket{route="/a",le="+Inf"} 1
took_seconds_sum{route="/a"} 0.05
took_seconds_count{route="/a"} 1
took_seconds_bucket{route="/b",le="0.1"} 0
took_seconds_bucket{route="/b",le="+Inf"} 1
took_seconds_sum{route="/b"} 2
took_seconds_count{route="/b"} 1
`)
})

test('labels with quotes, backslashes and line breaks stay one line', async () => {
  const registry = createRegistry()
  registry.info('about', 'Versions.', { word: 'a"b\\c\nd' })
  const text = await registry.text()
  expect(text.split('\n')).toHaveLength(4)
  expect(parsePrometheusTextFormat(text)[0]?.metrics[0]?.labels).toEqual({ word: 'a"b\\c\nd' })
})

test('a gauge that is not known, or that fails, has no value', async () => {
  const registry = createRegistry()
  registry.gauge('unknown', 'Nobody knows.', () => null)
  registry.gauge('failing', 'It fails.', () => Promise.reject(new Error('away')))
  registry.gauge('known', 'It is known.', () => 1)
  registry.counters('nothing_yet_total', 'Nothing.', ['reason'])
  const parsed = parsePrometheusTextFormat(await registry.text())
  expect(parsed.map(({ name, metrics }) => [name, metrics.length])).toEqual([
    ['unknown', 0],
    ['failing', 0],
    ['known', 1],
    ['nothing_yet_total', 0],
  ])
})
