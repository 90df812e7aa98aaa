/**
 * Counters, gauges and histograms in memory, and their text form for Prometheus
 * (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
 */

/** The content type of `MetricsRegistry.text`. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface Counter {
  add(amount?: number): void
}

export interface Histogram {
  /** Counts a value, in the unit of the name. */
  observe(value: number): void
}

/** The series of one name, by the values of its labels in order. Made when they are first asked for. */
export interface Family<Series> {
  with(...values: string[]): Series
}

/** The value of a gauge; null: not known now. Its name is in the text without a value then. */
type Reading = number | null

export interface MetricsRegistry {
  /** @param name ends in `_total`. */
  counter(name: string, help: string): Counter
  counters(name: string, help: string, labels: readonly string[]): Family<Counter>
  /** @param bounds the upper bounds of the buckets, in order. */
  histograms(
    name: string,
    help: string,
    labels: readonly string[],
    bounds: readonly number[],
  ): Family<Histogram>
  /** @param read is called for each text. To throw is not to know. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void
  /** A number that only grows and is counted elsewhere. */
  countedElsewhere(name: string, help: string, read: () => Reading): void
  /** A gauge that is 1, whose labels say something. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void
  /** Returns all metrics. */
  text(): Promise<string>
}

/** Returns a registry without metrics. */
export function createRegistry(): MetricsRegistry {
  /** Each returns the lines of one name. */
  const parts: (() => Promise<string>)[] = []

  const registry: MetricsRegistry = {
    counter: (name, help) => registry.counters(name, help, []).with(),
    counters(name, help, labels) {
      return family(name, help, 'counter', labels, () => {
        let value = 0
        return {
          add: (amount = 1) => void (value += amount),
          lines: (labelled: Labelled) => [`${name}${labelled()} ${value}`],
        }
      })
    },
    histograms(name, help, labels, bounds) {
      return family(name, help, 'histogram', labels, () => {
        const counts = [...bounds, Infinity].map(() => 0)
        let sum = 0
        return {
          observe(value: number) {
            let bucket = 0
            while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++
            counts[bucket] = (counts[bucket] ?? 0) + 1
            sum += value
          },
          lines(labelled: Labelled) {
            let total = 0
            const buckets = counts.map((count, index) => {
              total += count
              return `${name}_bucket${labelled('le', String(bounds[index] ?? '+Inf'))} ${total}`
            })
            return [
              ...buckets,
              `${name}_sum${labelled()} ${sum}`,
              `${name}_count${labelled()} ${total}`,
            ]
          },
        }
      })
    },
    gauge(name, help, read) {
      parts.push(async () => single(name, help, 'gauge', await reading(read)))
    },
    countedElsewhere(name, help, read) {
      parts.push(async () => single(name, help, 'counter', read()))
    },
    info(name, help, labels) {
      const pairs = Object.entries(labels).map(([label, value]) => pair(label, value))
      parts.push(async () => `${heading(name, help, 'gauge')}${name}{${pairs.join(',')}} 1\n`)
    },
    text: async () => (await Promise.all(parts.map((part) => part()))).join(''),
  }
  return registry

  function family<Series extends { lines(labelled: Labelled): string[] }>(
    name: string,
    help: string,
    type: string,
    labels: readonly string[],
    create: () => Series,
  ): Family<Series> {
    const all = new Map<string, { readonly values: readonly string[]; readonly series: Series }>()
    parts.push(async () => {
      const lines = [...all.values()].flatMap(({ values, series }) =>
        series.lines((...more) => {
          const pairs = labels.map((label, index) => pair(label, values[index] ?? ''))
          if (more.length === 2) pairs.push(pair(more[0], more[1]))
          return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
        }),
      )
      return heading(name, help, type) + lines.map((line) => `${line}\n`).join('')
    })
    return {
      with(...values) {
        const key = values.join('\n')
        let found = all.get(key)
        if (found === undefined) {
          found = { values, series: create() }
          all.set(key, found)
        }
        return found.series
      },
    }
  }
}

/** Returns the labels of a line, with one more if given. */
type Labelled = (...more: [] | [label: string, value: string]) => string

async function reading(read: () => Reading | Promise<Reading>): Promise<Reading> {
  try {
    return await read()
  } catch {
    return null
  }
}

function single(name: string, help: string, type: string, value: Reading): string {
  return heading(name, help, type) + (value === null ? '' : `${name} ${value}\n`)
}

function heading(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function pair(label: string, value: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return `${label}="${escaped}"`
}
