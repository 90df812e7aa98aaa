/** The program `stint`: each command calls the server and shows its answer. */
import tab from '@bomb.sh/tab/commander'
import { terminalText } from '@stint/core/terminal.ts'
import { VERSION } from '@stint/core/version.ts'
import { Command, CommanderError } from 'commander'

import { createClient } from './client.ts'
import { removeAccess, serverAt, storeAccess } from './config.ts'
import { EXIT_CODES, Failure } from './failure.ts'
import { addReportCommands } from './report-commands.ts'
import { readSecret } from './secret.ts'
import { addTimerCommands } from './timer-commands.ts'
import { print, toolsOf } from './tools.ts'

const HELP = `
Times are typed as in the app: 9:05, 10m ago, yesterday 14:00.
A filter is typed as on the page Sessions: last week, @acme, #call, task:hiring, ">2h", or named as it is saved.
Exit codes: 0 done, 1 refused, 2 not understood, 3 no timer, 4 key missing or refused, 5 server unreachable.
STINT_SERVER and STINT_KEY are used instead of what 'stint login' stored.
STINT_ALLOW_HTTP=1 allows http:// to another machine.`

/** Runs a command: the words after `stint`. Returns its exit code, after a message if it failed as it may. */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has written its message already. Help and version are no failures.
      return error.exitCode === 0 ? 0 : EXIT_CODES.usage
    }
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`stint: ${terminalText(error.message)}\n`)
    return EXIT_CODES[error.kind]
  }
}

/** Creates the program. Parsing throws Failure, or CommanderError after its message is printed. */
function createProgram(): Command {
  const stint = new Command('stint')
    .description('The time tracker on the command line.')
    .version(VERSION)
    .option('--json', 'print the answer of the server')
    .addHelpText('after', HELP)
    .exitOverride()

  stint
    .command('login')
    .description('store the address of the server and a key, which is typed or piped in')
    .argument('<server>', 'such as https://stint.example.com')
    .action(async (server: string) => {
      const address = serverAt(server)
      const access = { server: address, key: await readSecret('Key (Settings → Keys): ') }
      const { name } = await createClient(access)('GET keys/current')
      print([terminalText(`The key “${name}” is stored in ${await storeAccess(access)}.`)])
    })
  stint.command('logout').description('remove the stored key').action(removeAccess)

  const withTools = toolsOf(stint)
  addTimerCommands(stint, withTools)
  addReportCommands(stint, withTools)

  tab(stint, { completionCommandName: 'completion' })
  return stint
}
