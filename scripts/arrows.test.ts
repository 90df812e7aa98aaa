import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Imports that the architecture forbids, each with the file it is planted in. */
const VIOLATIONS: readonly (readonly [file: string, imported: string])[] = [
  ['core/src/planted.ts', 'idb'],
  ['core/src/planted.ts', '@stint/server/app.ts'],
  ['core/src/timer/planted.ts', '#record/task.ts'],
  ['core/src/record/planted.ts', '#reports/dashboard.ts'],
  ['core/src/record/planted.ts', '#device/draft.ts'],
  ['core/src/reports/planted.ts', '#device/draft.ts'],
  ['core/src/reports/planted.ts', '#balance/balance.ts'],
  ['core/src/balance/planted.ts', '#transfer/entry-export.ts'],
  ['core/src/balance/planted.ts', '#targets/progress.ts'],
  ['core/src/targets/planted.ts', '#timesheet/rounding.ts'],
  ['core/src/reports/planted.ts', '#timesheet/rounding.ts'],
  ['core/src/timesheet/planted.ts', '#transfer/csv-form.ts'],
  ['core/src/transfer/planted.ts', '#traces/trace.ts'],
  ['core/src/traces/planted.ts', '#device/draft.ts'],
  ['server/src/planted.ts', '@stint/web/main.tsx'],
  ['server/src/planted.ts', '@stint/testing/test-app.ts'],
  ['cli/src/planted.ts', '@stint/server/config.ts'],
  ['extension/src/planted.ts', '@stint/web/main.tsx'],
  ['server/src/documents/routes.ts', 'kysely'],
  ['web/src/ui/planted.tsx', '@stint/core/timer/timer.ts'],
  ['web/src/ui/planted.tsx', '#features/timer/timer-panel.tsx'],
  ['web/src/ui/planted.tsx', '#hooks/use-timer.ts'],
  ['web/src/loading/planted.ts', '#record/record.ts'],
  ['web/src/loading/planted.ts', 'react'],
  ['web/src/backend/planted.ts', '#sync/sync.ts'],
  ['web/src/record/planted.ts', '#backend/backend.ts'],
  ['web/src/record/planted.ts', '#sync/sync.ts'],
  ['web/src/copies/planted.ts', '#session/session.ts'],
  ['web/src/record/planted.ts', '#copies/copy-folder.ts'],
  ['web/src/traces/planted.ts', '#session/session.ts'],
  ['web/src/record/planted.ts', '#traces/traces.ts'],
  ['web/src/sync/planted.ts', '#hooks/use-timer.ts'],
  ['web/src/sync/planted.ts', '#session/session.ts'],
  ['web/src/sync/planted.ts', 'appwrite'],
  ['core/src/device/planted.ts', '#appwrite-project/kept-attributes.ts'],
  ['web/src/appwrite-project/planted.ts', '#sync/sync.ts'],
  ['web/src/record/planted.ts', '#appwrite-project/schema-adapter.ts'],
  ['web/src/features/tasks/planted.tsx', '#backend/backend.ts'],
  ['web/src/features/tasks/planted.tsx', '#sync/sync.ts'],
  ['web/src/features/tasks/planted.tsx', '#features/timer/timer-panel.tsx'],
  ['web/src/features/tasks/planted.tsx', '#features/timer/use-note.ts'],
  ['web/src/features/tasks/planted.tsx', '#features/timer/api.ts'],
  ['web/src/features/tasks/planted.tsx', '@stint/testing/test-app.ts'],
  ['web/src/diagnostics/planted.ts', '#record/record.ts'],
  ['web/src/record/planted.ts', '#diagnostics/event-log.ts'],
  ['web/src/session/planted.ts', '#ui/button.tsx'],
  ['web/src/session/planted.ts', '#hooks/use-auth.ts'],
  ['web/src/hooks/planted.ts', '#features/timer/use-note.ts'],
  ['web/src/hooks/planted.ts', '#routes/tasks.tsx'],
  ['web/src/hooks/planted.ts', '#sync/sync.ts'],
  ['web/src/hooks/planted.ts', '#backend/backend.ts'],
  ['web/src/routes/planted.tsx', '#sync/sync.ts'],
  ['web/src/routes/planted.tsx', '#record/record.ts'],
  ['web/src/app/planted.tsx', '#backend/backend.ts'],
  ['web/src/features/tasks/planted.tsx', '@base-ui/react/dialog'],
  ['web/src/hooks/planted.ts', 'react-day-picker'],
  ['web/src/routes/planted.tsx', '@base-ui/react/dialog'],
  ['web/src/app/planted.tsx', '@base-ui/react/dialog'],
]

const ALLOWED: readonly (readonly [file: string, imported: string])[] = [
  ['core/src/planted.ts', './settings.ts'],
  ['core/src/record/planted.ts', '#timer/timer.ts'],
  ['core/src/device/planted.ts', '#record/rebase.ts'],
  ['server/src/planted.ts', '@stint/core/timer/timer.ts'],
  ['cli/src/planted.ts', '@stint/core/time/duration.ts'],
  ['core/src/text.ts', 'intl-messageformat'],
  ['web/src/ui/planted.tsx', '@stint/core/text.ts'],
  ['web/src/ui/planted.tsx', '#ui/button.tsx'],
  ['web/src/sync/planted.ts', '#backend/backend.ts'],
  ['web/src/sync/planted.ts', '#appwrite-project/schema-adapter.ts'],
  ['web/src/backend/planted.ts', '#loading/until-loaded.ts'],
  ['web/src/record/planted.ts', '#loading/until-loaded.ts'],
  ['web/src/sync/planted.ts', '#record/record.ts'],
  ['web/src/sync/planted.ts', '#diagnostics/event-log.ts'],
  ['web/src/copies/planted.ts', '#record/database.ts'],
  ['web/src/hooks/planted.ts', '#traces/traces.ts'],
  ['web/src/session/planted.ts', '#sync/sync.ts'],
  ['web/src/features/tasks/planted.tsx', '#record/record.ts'],
  ['web/src/features/tasks/planted.tsx', '#hooks/use-timer.ts'],
  ['web/src/hooks/planted.ts', '#session/signed-in.ts'],
  ['web/src/hooks/planted.ts', '#record/record.ts'],
  ['web/src/hooks/planted.tsx', '#ui/button.tsx'],
  ['web/src/hooks/planted.ts', '@stint/core/timer/timer.ts'],
  ['web/src/features/tasks/planted.tsx', '#ui/button.tsx'],
  ['web/src/routes/planted.tsx', '#features/timer/timer-panel.tsx'],
  ['web/src/routes/planted.tsx', '#hooks/use-timer.ts'],
]

/** What a screen may take of React: not `lazy`, which keeps a failed load. */
const OF_REACT = ['ui', 'hooks', 'features/tasks', 'routes', 'app'].map(
  (folder) => `web/src/${folder}/planted.tsx`,
)

const CASES = [
  ...VIOLATIONS.map((each) => [...each, 'x', true] as const),
  ...ALLOWED.map((each) => [...each, 'x', false] as const),
  ...OF_REACT.map((file) => [file, 'react', 'lazy', true] as const),
  ...OF_REACT.map((file) => [file, 'react', 'useState', false] as const),
]

/** The planted files in which the linter finds a forbidden import. It starts once for all of them. */
let refused: ReadonlySet<string>

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'stint-arrows-'))
  const config: unknown = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'))
  // The check of imports needs no types, and a planted file has none.
  const { options: _, $schema: __, ...rules } = Object(config)
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(rules))
  for (const [index, [file, imported, name]] of CASES.entries()) {
    const path = join(folder, planted(file, index))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import { ${name} } from '${imported}'\nexport const y = ${name}\n`)
  }
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint')
  const { stdout } = spawnSync(oxlint, ['--format=json'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const diagnostics: readonly { code: string; filename: string }[] = JSON.parse(stdout).diagnostics
  const found = diagnostics.filter(({ code }) => code.includes('no-restricted-imports'))
  refused = new Set(found.map(({ filename }) => filename))
})

test.each(CASES.map((each, index) => [...each, index] as const))(
  '%s may import %s { %s }, or not: %s',
  (file, _imported, _name, isForbidden, index) => {
    expect(refused.has(planted(file, index))).toBe(isForbidden)
  },
)

/** Returns the path of the file of a case. A file that exists has its name in the rules. */
function planted(file: string, index: number): string {
  return file.replace('planted.', `planted${index}.`)
}
