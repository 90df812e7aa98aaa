import { readFileSync } from 'node:fs'
import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import { beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@stint/testing/test-app.ts'

const DASHBOARD = new URL('../../../deploy/grafana-dashboard.json', import.meta.url)
const NAME = /\b(?:stint|process|nodejs)_[a-z0-9_]+/g

interface Panel {
  readonly title: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

let panels: readonly Panel[]
/** The labels of each metric. */
const labels = new Map<string, string[]>()

beforeAll(async () => {
  panels = JSON.parse(readFileSync(DASHBOARD, 'utf8')).panels
  const server = await createTestApp()
  const ann = await server.signedInUser('Ann')
  await (
    await server.program(ann)
  )('GET', '/now')
  await server.app.inject('/metrics')
  const { body } = await server.app.inject('/metrics')
  await server.close()
  for (const { name } of parsePrometheusTextFormat(body)) labels.set(name, [])
  for (const [, name = '', pairs = ''] of body.matchAll(/^([a-z_]+)\{(.*)\} /gm)) {
    labels.set(
      baseOf(name),
      [...pairs.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
    )
  }
})

test('every name in the dashboard is one of the metrics', () => {
  const used = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(NAME) ?? []),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !labels.has(baseOf(name)))).toEqual([])
})

test('every metric is in the dashboard', () => {
  const text = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
  const left = [...labels.keys()].filter((name) => !text.includes(name))
  // The age says the same.
  expect(left).toEqual(['stint_backup_last_timestamp_seconds'])
})

test('every legend of the dashboard names labels of its metric', () => {
  for (const { targets } of panels) {
    for (const { expr, legendFormat } of targets) {
      const [name = ''] = expr.match(NAME) ?? []
      // Prometheus itself adds these.
      const known = [...(labels.get(baseOf(name)) ?? []), 'instance', 'job']
      const asked = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      // Of those, no call in this test has been refused or sent to a webhook or a device.
      const isSilent = [
        'stint_limit_refusals_total',
        'stint_webhook_calls_total',
        'stint_push_calls_total',
      ].includes(name)
      expect(isSilent ? [] : asked.filter((label) => !known.includes(label))).toEqual([])
    }
  }
})

test('no two panels of the dashboard overlap', () => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

/** Returns the name of a histogram for one of its series. */
function baseOf(name: string): string {
  return name.replace(/_seconds_(?:bucket|sum|count)$/, '_seconds')
}
