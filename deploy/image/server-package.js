/**
 * Reads the project's package.json from the standard input and writes that of the image: without
 * tools, scripts and the packages that the server does not use. Any Node can run it.
 */
import { readFileSync } from 'node:fs'

const { name, version, description, license, type, optionalDependencies, engines } = JSON.parse(
  readFileSync(0, 'utf8'),
)
const workspaces = ['core', 'server']
const reduced = {
  name,
  version,
  private: true,
  description,
  license,
  workspaces,
  type,
  optionalDependencies,
  engines,
}
process.stdout.write(`${JSON.stringify(reduced, null, 2)}\n`)
