import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import react from '@vitejs/plugin-react'

// By their paths: the configuration is bundled, so an older Node gets as far as its check.
import { IS_LONG, testsOf } from '../testing/src/size.ts'
import { MAX_TEST, MAX_WAIT } from '../testing/src/waits.ts'

/** What every project sets, since none takes it from the others. */
export const LIMITS = {
  // Many tests wait for a server, a clock or the disk, so two workers per core keep the cores busy.
  maxWorkers: 2 * availableParallelism(),
  // What hangs is to end; how busy the machine is must decide nothing.
  testTimeout: MAX_TEST,
  hookTimeout: MAX_TEST,
  teardownTimeout: MAX_TEST,
  expect: { poll: { timeout: MAX_WAIT } },
}

/** Tests that explore: they are in the short run, and go further in the long one. */
const EXPLORERS = 'src/sync/{explorer,explorer-pairs,simulation}.test.ts'
/** They replace or reload a module, so each has a process of its own. */
const WITH_MOCKS = [
  EXPLORERS,
  'src/features/auth/mail-link.test.ts',
  'src/features/your-data/import-{review.test.tsx,worker.test.ts}',
  'src/hooks/password-check-missing.test.tsx',
  'src/ui/navigation.test.tsx',
]

const sync = testsOf('src/{sync,appwrite-project}')
const others = testsOf('src/!(sync|appwrite-project)')

/**
 * The tests of the web app, with jsdom, a fake IndexedDB, and the real server in memory behind fetch. They leave
 * nothing behind, so their files share a process, which saves a third of the time.
 */
export const webProjects = [
  webProject('web sync', {
    include: sync.include,
    exclude: [...sync.exclude, ...WITH_MOCKS],
    isolate: false,
  }),
  webProject('web', {
    include: others.include,
    exclude: [...others.exclude, ...WITH_MOCKS],
    isolate: false,
  }),
  webProject('web mocks', { include: IS_LONG ? [EXPLORERS] : WITH_MOCKS, exclude: [] }),
]

function webProject(
  name: string,
  files: { include: string[]; exclude: string[]; isolate?: boolean },
) {
  return {
    root: import.meta.dirname,
    plugins: [react()],
    test: {
      name,
      ...LIMITS,
      ...files,
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
      setupFiles: [join(import.meta.dirname, 'src/test/setup.ts')],
      env: { TZ: 'America/New_York' },
    },
  }
}
