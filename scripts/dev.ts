/**
 * Runs the API, restarted when its files change, and the web app with hot reload: `npm run dev`.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const children = [
  run(['--watch', join(ROOT, 'server/src/main.ts')]),
  run([join(ROOT, 'node_modules/vite/bin/vite.js'), '--config', join(ROOT, 'web/vite.config.ts')]),
]
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}

function run(args: string[]) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: ROOT })
  child.on('exit', (code) => {
    process.exitCode ??= code ?? 0
    for (const other of children) if (other !== child) other.kill()
  })
  return child
}
