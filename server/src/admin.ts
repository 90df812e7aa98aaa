/** The operator's command: `npm run admin -- <command>`. */
import { normalizedEmail } from '@stint/core/email-address.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { format } from 'node:util'
import { unlink } from '#accounts/external-sign-in.ts'
import * as invites from '#accounts/invites.ts'
import { secretLink } from '#accounts/mails.ts'
import * as accounts from '#accounts/service.ts'
import * as users from '#accounts/users.ts'
import { isEmailAddress } from '#http/params.ts'
import { backUp, checkBackup } from '#storage/sqlite/backup.ts'
import type { Database } from '#storage/database.ts'
import { compared, inspect } from '#storage/inspect.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { openDatabase, sqliteFile } from '#storage/open.ts'
import { restore } from '#storage/restore.ts'
import { statusScreen } from '#operator/status.ts'
import { createHub } from '#realtime/hub.ts'
import { readConfig } from './config.ts'
import type { Config } from './config.ts'
import { OperatorError } from './operator-error.ts'
import { removeFor } from '#second-factor/service.ts'
import { terminalField, terminalText } from '@stint/core/terminal.ts'
import { VERSION } from '@stint/core/version.ts'

const DAY = 86_400_000

const USAGE = `Usage: npm run admin -- <command>

  list-users               lists all accounts
  reset-link <email>       prints a link to set a new password, valid for a day
  disable-user <email>     signs the user out and blocks sign-in; deletes nothing
  enable-user <email>      allows sign-in again
  delete-user <email>      permanently deletes the account and all its data
  unlink-user <email>      forgets which person of the proxy or the provider has the account
  remove-code <email>      asks for no code after the password any more
  invite [email] [--days=7] prints a link with which one person can create an account
  list-invites             lists the invitations that can still be used
  revoke-invite <id>       makes an invitation useless
  backup <file>            copies the SQLite database while the server runs
  restore-check <file>     checks that a backup can be restored
  restore <file>           puts a backup in the place of the database; no server may run
  status                   prints one screen: whether all is well, and what is wrong
  version                  prints the versions of Stint and of the database

The environment must be that of the server (DATABASE_URL, DATA_DIR, PUBLIC_URL, BACKUP_DIR).`

/**
 * Runs one command.
 * @returns the output, which does not control the terminal: anybody can choose a name and an address.
 * @throws OperatorError with what to do instead.
 */
export async function runAdmin(config: Config, args: readonly string[]): Promise<string> {
  return terminalText(await outputOf(config, args))
}

async function outputOf(config: Config, args: readonly string[]): Promise<string> {
  const [command = '', argument = ''] = args
  switch (command) {
    case 'backup':
      return contentsLine(
        'Copied',
        argument,
        backUp(sqliteOnly(config), required(argument, 'file')),
      )
    case 'restore-check':
      return contentsLine('Intact', argument, checkBackup(required(argument, 'file')))
    case 'restore':
      return restore({
        databaseUrl: config.databaseUrl,
        backup: required(argument, 'file'),
        safetyFolder: config.backup.folder,
        now: Date.now(),
      })
    case 'status':
      return statusScreen(config, Date.now())
    case 'version':
      return versions(config)
    case 'list-users':
      return withDatabase(config, listUsers)
    case 'reset-link':
    case 'disable-user':
    case 'enable-user':
    case 'delete-user':
    case 'unlink-user':
    case 'remove-code':
      return withDatabase(config, (db) => changeUser(db, config, command, argument))
    case 'invite':
      return withDatabase(config, (db) => invite(db, config, args.slice(1)))
    case 'list-invites':
      return withDatabase(config, listInvites)
    case 'revoke-invite':
      return withDatabase(config, (db) => revokeInvite(db, required(argument, 'id')))
    default:
      throw new OperatorError(USAGE)
  }
}

async function versions(config: Config): Promise<string> {
  const { kind, place, schema } = await inspect(config.databaseUrl)
  return [
    `Stint ${VERSION}, schema ${SCHEMA_VERSION}`,
    `Database: ${kind} at ${place}, ${schema === null ? 'none yet' : `schema ${schema}`}`,
    compared(schema),
  ].join('\n')
}

async function withDatabase(
  config: Config,
  work: (db: Database) => Promise<string>,
): Promise<string> {
  const db = await openDatabase(config.databaseUrl, { exclusive: false })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function listUsers(db: Database): Promise<string> {
  const all = await users.list(db)
  if (all.length === 0) return 'There are no accounts yet.'
  return all
    .map((user) => {
      const since = user.created_at.slice(0, 10)
      const seen = user.accessed_at.slice(0, 10)
      const status = user.active ? 'active' : 'disabled'
      const fields = [user.email, user.id, status, `since ${since}`, `seen ${seen}`, user.name]
      return fields.map(terminalField).join('\t')
    })
    .join('\n')
}

async function changeUser(
  db: Database,
  config: Config,
  command:
    | 'reset-link'
    | 'disable-user'
    | 'enable-user'
    | 'delete-user'
    | 'unlink-user'
    | 'remove-code',
  email: string,
): Promise<string> {
  const user = await users.findByEmail(db, normalizedEmail(required(email, 'email')))
  if (user === undefined) throw new OperatorError(`There is no account with the address ${email}.`)
  const hub = createHub(db, Date.now)
  const services = { db, hub, now: Date.now }
  try {
    switch (command) {
      case 'reset-link': {
        const issued = await accounts.issueRecovery(services, user.id, DAY)
        return secretLink(`${config.publicUrl}/recovery`, issued)
      }
      case 'disable-user':
        await accounts.block(services, user.id)
        await accounts.endSignIns(services, user.id)
        return `${user.email} is signed out and can no longer sign in.`
      case 'enable-user':
        await accounts.change(services, user.id, 'update.status', { active: true })
        return `${user.email} can sign in again.`
      case 'delete-user':
        await accounts.deleteAccount(services, user.id)
        return `${user.email} and all its data are deleted.`
      case 'unlink-user':
        return (await unlink(services, user.id)) === 0
          ? `${user.email} is linked to nobody.`
          : `${user.email} is linked again at its next sign-in, by its e-mail address.`
      case 'remove-code':
        return (await removeFor(services, user.id))
          ? `${user.email} signs in with its password alone.`
          : `${user.email} has no second factor.`
    }
  } finally {
    // The messages to the running servers are sent in the next turn of the event loop.
    await sleep(0)
    await hub.shutDown()
  }
}

async function invite(db: Database, config: Config, args: readonly string[]): Promise<string> {
  const typed = args.find((each) => !each.startsWith('--'))
  const email = typed === undefined ? null : normalizedEmail(typed)
  if (email !== null && !isEmailAddress(email)) {
    throw new OperatorError(`"${email}" is not an e-mail address.`)
  }
  const days = daysIn(args)
  const { secret } = await invites.create(db, email, Date.now(), days * DAY)
  const link = new URL('/signup', config.publicUrl)
  link.searchParams.set('invite', secret)
  const note = { open: 'anybody can sign up without it', closed: 'nobody can sign up with it' }
  return config.signup === 'invite'
    ? link.href
    : `${link.href}\nSIGNUP is "${config.signup}", so ${note[config.signup]}. Set SIGNUP=invite.`
}

/** Returns the value of `--days`, a whole number from 1 to 365; 7 without it. */
function daysIn(args: readonly string[]): number {
  const option = args.find((each) => each.startsWith('--')) ?? '--days=7'
  const [, text = ''] = /^--days=(\d{1,3})$/.exec(option) ?? []
  const days = Number(text)
  if (days < 1 || days > 365) {
    throw new OperatorError(`"${option}" is not a number of days from --days=1 to --days=365.`)
  }
  return days
}

async function listInvites(db: Database): Promise<string> {
  const all = await invites.list(db, Date.now())
  if (all.length === 0) return 'There are no open invitations.'
  return all
    .map(({ id, email, expires_at }) =>
      [id, email ?? 'anybody with the link', `until ${expires_at.slice(0, 10)}`]
        .map(terminalField)
        .join('\t'),
    )
    .join('\n')
}

async function revokeInvite(db: Database, id: string): Promise<string> {
  if (await invites.revoke(db, id)) return `The invitation ${id} can no longer be used.`
  throw new OperatorError(`There is no invitation ${id}. It may have been used.`)
}

function sqliteOnly(config: Config): string {
  const file = sqliteFile(config.databaseUrl)
  if (file === null) {
    throw new OperatorError(
      'This command is for SQLite. Back up a PostgreSQL database with pg_dump.',
    )
  }
  return file
}

function required(argument: string, what: string): string {
  if (argument === '') throw new OperatorError(`The command needs <${what}>.\n\n${USAGE}`)
  return argument
}

function contentsLine(
  word: string,
  file: string,
  { schema, users, tasks, entries }: ReturnType<typeof checkBackup>,
): string {
  return `${word}: ${file} (schema ${schema}, ${users} users, ${tasks} tasks, ${entries} entries)`
}

if (import.meta.main) {
  try {
    console.log(await runAdmin(readConfig(process.env), process.argv.slice(2)))
  } catch (error) {
    console.error(terminalText(error instanceof OperatorError ? error.message : format(error)))
    process.exitCode = 1
  }
}
