/** Tries an image that was built: what it holds, how large it is, and how it runs. */
import { accountOf, post, signUp, unwantedPaths, untilReady } from './probe.ts'
import type { RunningImage } from './probe.ts'

export interface BuiltImage {
  /** Its size beyond the base, unpacked. */
  readonly bytes: number
  /** All files and folders of the program's folder, relative to it. */
  readonly paths: readonly string[]
  readonly healthCheck: readonly string[]
  /** Starts it, read-only and without rights. Every start has the same data. */
  start(): Promise<RunningImage>
  remove(): void
}

const LARGEST = 180_000_000

/** Tries an image. @throws Error at the first thing that is not as promised. */
export async function tryImage(image: BuiltImage): Promise<void> {
  report(
    `is ${(image.bytes / 1e6).toFixed(1)} MB beyond its base, of ${LARGEST / 1e6} MB at most`,
    image.bytes <= LARGEST,
  )
  const unwanted = unwantedPaths(image.paths)
  report(
    `holds no test, tool or package of development among ${image.paths.length} paths`,
    unwanted.length === 0,
    unwanted.slice(0, 20).join('\n'),
  )
  report('holds a list of its parts', image.paths.includes('sbom.cdx.json'))

  const first = await image.start()
  let cookie: string
  try {
    await untilReady(first)
    report('starts and is ready', true)
    cookie = await signUp(first.url)
    await post(
      first.url,
      '/databases/stint/collections/tasks/documents',
      { documentId: 'writing', data: { name: 'Writing', userId: 'ann' } },
      cookie,
    )
    report('takes a sign-up and a task', true)
    const page = await fetch(`${first.url}/login`)
    report('shows the sign-in page', page.status === 200 && (await page.text()).includes('Sign in'))
    await tryInside(first, image)
  } catch (error) {
    console.error((await first.state()).output)
    await first.stop()
    throw error
  }
  report('ends with 0 on SIGTERM', (await first.stop()) === 0)

  const second = await image.start()
  try {
    await untilReady(second)
    report(
      'keeps its data over a restart',
      (await accountOf(second.url, cookie)) === 'ann@example.com',
    )
  } finally {
    await second.stop()
  }
}

async function tryInside(running: RunningImage, image: BuiltImage): Promise<void> {
  const user = await running.run(['id', '-u'])
  report('is not root', user.code === 0 && user.output === '1000', user.output)
  const { output: status } = await running.run(['cat', `/proc/${running.pid}/status`])
  report(
    'has no capability and can get none',
    /^CapEff:\t0+$/m.test(status) &&
      /^CapBnd:\t0+$/m.test(status) &&
      /^NoNewPrivs:\t1$/m.test(status),
    status,
  )
  const { output: mounts } = await running.run(['cat', '/proc/self/mounts'])
  report('has a read-only root', /^\S+ \/ \S+ ro[, ]/m.test(mounts), mounts)
  for (const file of ['/stint/x', '/usr/x', '/etc/x', '/x']) {
    const touched = await running.run(['touch', file])
    report(`cannot write ${file}`, touched.code !== 0, touched.output)
  }
  const written = await running.run(['touch', '/data/x', '/tmp/x'])
  report('can write /data and /tmp', written.code === 0, written.output)
  const cache = await running.run(['ls', '/data/.cache'])
  report('keeps compiled sources beside the data', cache.code === 0, cache.output)
  const health = await running.run(image.healthCheck)
  report('passes its health check', health.code === 0, health.output)
  const backup = await running.run(['admin', 'backup', '/data/copy.db'])
  report('runs the operator’s commands', backup.code === 0, backup.output)
}

function report(what: string, holds: boolean, detail = ''): void {
  console.log(`${holds ? '✓' : '✗'} The image ${what}`)
  if (!holds) throw new Error(`The image does not: ${what}\n${detail}`)
}
