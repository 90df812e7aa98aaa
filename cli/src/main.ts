/** The command `stint`. */
import { terminalText } from '@stint/core/terminal.ts'
import { CommanderError } from 'commander'

import { EXIT_CODES, Failure } from './failure.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has written its message already. Help and version are no failures.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_CODES.usage
  } else if (error instanceof Failure) {
    process.stderr.write(`stint: ${terminalText(error.message)}\n`)
    process.exitCode = EXIT_CODES[error.kind]
  } else {
    throw error
  }
}
