/** The configuration, read from the environment. */
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { parseTimeOfDay } from '#backups/schedule.ts'
import type { TimeOfDay } from '#backups/schedule.ts'
import type { Quota } from '#documents/quota.ts'
import { OperatorError } from './operator-error.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** `file:…` for SQLite, `postgres://…` for PostgreSQL. */
  readonly databaseUrl: string
  readonly dataDirectory: string
  /** The server's origin as browsers write it. Links in mails begin with it. */
  readonly publicUrl: string
  readonly smtpUrl: string | null
  readonly mailFrom: string
  readonly supportEmail: string
  /** Other origins whose pages may call the API, as browsers write them. */
  readonly allowedOrigins: readonly string[]
  /** Proxies whose X-Forwarded-* headers are trusted: addresses, networks, or a number of hops. */
  readonly trustProxy: false | number | string
  /** Who may create an account. */
  readonly signup: (typeof SIGNUPS)[number]
  /** The proxy in front that signs people in; null: none. */
  readonly authProxy: AuthProxyConfig | null
  /** The OpenID Connect provider that signs people in; null: none. */
  readonly oidc: OidcConfig | null
  readonly logLevel: LogLevel
  readonly rateLimits: boolean
  /** Whether webhooks may have http and addresses that are not public. */
  readonly webhooksAllowPrivate: boolean
  /** How devices are told of the running timer. */
  readonly push: PushConfig
  /** Whether signed-in people may have calendars at other addresses read. */
  readonly readsCalendars: boolean
  /** Whether pages may read ActivityWatch on the computer of who looks at them. */
  readonly readsActivityWatch: boolean
  /** Whether visitors may use the app before they have an account, on a record of their browser. */
  readonly offersTryOut: boolean
  /** The quota of each user. */
  readonly quota: Quota
  /** The server's own backups. */
  readonly backup: BackupSettings
  /** Who has it may read the metrics from anywhere; null: only this machine may. */
  readonly metricsToken: string | null
}

export interface PushConfig {
  readonly isOn: boolean
  /** The key with which the server signs, in base64url; null: the one in the database. */
  readonly privateKey: string | null
}

interface BackupSettings {
  readonly isOn: boolean
  readonly folder: string
  /** When a backup is due each day, on the server's clock. */
  readonly at: TimeOfDay
}

/** The shortest METRICS_TOKEN; 32 characters of hexadecimal digits are 128 bits. */
const MIN_TOKEN = 32
export interface AuthProxyConfig {
  /** The name of the header with the person's e-mail address, in lower case. */
  readonly emailHeader: string
  /** The name of the header with the person's name, in lower case; null: there is none. */
  readonly nameHeader: string | null
  /** Where a person signs out of the proxy; null: unknown. */
  readonly signOutUrl: string | null
}

export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What the button calls the provider. */
  readonly name: string
}

const SIGNUPS = ['open', 'invite', 'closed'] as const

/** The default: three hundred entries a day for nine years, one kilobyte each. */
const QUOTA = { documents: 1_000_000, bytes: 1024 ** 3 }

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Reads the configuration from environment variables. An empty variable counts as not set.
 * @throws OperatorError with a line for each invalid value.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const value = (name: string, fallback: string): string => environment[name]?.trim() || fallback
  const optional = (name: string): string | null => environment[name]?.trim() || null
  const complain = (problem: string): void => void problems.push(problem)
  const isOn = (name: string, fallback: 'on' | 'off'): boolean => {
    const text = value(name, fallback)
    if (text !== 'on' && text !== 'off') complain(`${name} must be "on" or "off".`)
    return text === 'on'
  }

  const portText = value('PORT', '3000')
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : NaN
  if (!(port <= 65_535)) {
    complain(`PORT must be a whole number from 0 to 65535, not "${portText}".`)
  }
  const host = value('HOST', '127.0.0.1')
  const dataDirectory = value('DATA_DIR', './data')
  const databaseUrl = value('DATABASE_URL', `file:${dataDirectory}/stint.db`)
  if (!/^(file:.+|postgres(ql)?:\/\/.+)$/.test(databaseUrl)) {
    complain('DATABASE_URL must begin with "file:" (SQLite) or "postgres://" (PostgreSQL).')
  }
  const publicAddress = value('PUBLIC_URL', `http://localhost:${port}`).replace(/\/+$/, '')
  const publicUrl = originOf(publicAddress) ?? publicAddress
  if (optional('PUBLIC_URL') !== null) {
    if (originOf(publicAddress) === null) {
      complain('PUBLIC_URL must be a URL that begins with http:// or https://.')
    } else if (new URL(publicAddress).href !== `${publicUrl}/`) {
      complain(
        `PUBLIC_URL must be an address like ${publicUrl}, without a path, a query or a user name.`,
      )
    }
  }
  const smtpUrl = optional('SMTP_URL')
  if (smtpUrl !== null && !isSmtpUrl(smtpUrl)) {
    // Not the value: it has a password.
    complain('SMTP_URL must be a URL that begins with smtp:// or smtps://.')
  }
  const supportEmail = value('SUPPORT_EMAIL', `support@${hostOf(publicUrl)}`)
  if (!/^[^\s@]+@[^\s@]+$/.test(supportEmail)) {
    complain('SUPPORT_EMAIL must be an email address.')
  }
  const mailFrom = value('MAIL_FROM', `Stint <${supportEmail}>`)
  if (!/^[^\r\n]*[^\s@]+@[^\s@]+$/.test(mailFrom)) {
    complain('MAIL_FROM must be an email address, with or without a name.')
  }
  const allowedOrigins = value('ALLOWED_ORIGINS', '')
    .split(/[\s,]+/)
    .filter((origin) => origin !== '')
  for (const origin of allowedOrigins) {
    if (originOf(origin) !== origin) {
      const example = originOf(origin) ?? 'https://app.example.com'
      complain(`ALLOWED_ORIGINS must be a list of origins like ${example}, not "${origin}".`)
    }
  }
  const trustProxy = trustedProxies(value('TRUST_PROXY', 'false'))
  for (const proxy of typeof trustProxy === 'string' ? trustProxy.split(',') : []) {
    if (!isAddressOrNetwork(proxy)) {
      complain(
        `TRUST_PROXY must be addresses or networks like 127.0.0.1 or 10.0.0.0/8, or the number of proxies, not "${proxy}".`,
      )
    }
  }
  const signup = SIGNUPS.find((each) => each === value('SIGNUP', 'open'))
  if (signup === undefined) complain('SIGNUP must be "open", "invite" or "closed".')
  const authProxy = readAuthProxy(optional, trustProxy, complain)
  const oidc = readOidc(optional, complain)
  const logLevel = LOG_LEVELS.find((level) => level === value('LOG_LEVEL', 'info'))
  if (logLevel === undefined) complain(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`)
  const rateLimits = isOn('RATE_LIMITS', 'on')
  if (value('RATE_LIMITS', '') === 'off' && !isLoopbackHost(host)) {
    complain('RATE_LIMITS must be "on" unless HOST is a loopback address: "off" is for tests.')
  }
  const webhooksAllowPrivate = isOn('WEBHOOKS_ALLOW_PRIVATE', 'off')
  const readsCalendars = isOn('READ_CALENDARS', 'on')
  const readsActivityWatch = isOn('READ_ACTIVITYWATCH', 'off')
  const offersTryOut = isOn('TRY_WITHOUT_ACCOUNT', 'on')
  const push = { isOn: isOn('PUSH', 'on'), privateKey: optional('VAPID_PRIVATE_KEY') }
  if (push.privateKey !== null && !/^[\w-]{43}$/.test(push.privateKey)) {
    // Not the value: it is a secret.
    complain(
      'VAPID_PRIVATE_KEY must be a private key of "npx web-push generate-vapid-keys": 43 characters of base64url.',
    )
  }

  const quotaOf = (name: string, fallback: number): number | null => {
    const text = value(name, String(fallback))
    const max = text === 'off' ? 0 : /^\d+$/.test(text) ? Number(text) : NaN
    if (!Number.isSafeInteger(max)) {
      complain(`${name} must be a whole number, 0 or "off" for no bound, not "${text}".`)
    }
    return max === 0 ? null : max
  }
  const quota = {
    documents: quotaOf('QUOTA_DOCUMENTS', QUOTA.documents),
    bytes: quotaOf('QUOTA_BYTES', QUOTA.bytes),
  }

  const makesBackups = isOn('BACKUP', 'on')
  const backupAt = parseTimeOfDay(value('BACKUP_AT', '03:00'))
  if (backupAt === null) {
    complain(`BACKUP_AT must be a time of day like 03:00, not "${value('BACKUP_AT', '')}".`)
  }
  const metricsToken = optional('METRICS_TOKEN')
  if (metricsToken !== null && !new RegExp(`^[!-~]{${MIN_TOKEN},}$`).test(metricsToken)) {
    complain(
      `METRICS_TOKEN must have at least ${MIN_TOKEN} characters and no spaces, like the output of "openssl rand -hex 32".`,
    )
  }

  if (problems.length > 0) {
    throw new OperatorError(['The configuration is invalid:', ...problems].join('\n  - '))
  }
  return {
    port,
    host,
    databaseUrl,
    dataDirectory,
    publicUrl,
    smtpUrl,
    mailFrom,
    supportEmail,
    allowedOrigins,
    trustProxy,
    signup: signup ?? 'open',
    authProxy,
    oidc,
    logLevel: logLevel ?? 'info',
    rateLimits,
    webhooksAllowPrivate,
    push,
    readsCalendars,
    readsActivityWatch,
    offersTryOut,
    quota,
    backup: {
      isOn: makesBackups,
      folder: value('BACKUP_DIR', `${dataDirectory}/backups`),
      at: backupAt ?? { hour: 3, minute: 0 },
    },
    metricsToken,
  }
}

type Optional = (name: string) => string | null
type Complain = (problem: string) => void

/**
 * Reads the settings of a proxy that signs people in. Its header decides who somebody is, so the
 * addresses that may send it must be known one by one: a number of hops tells nothing about them.
 */
function readAuthProxy(
  optional: Optional,
  trustProxy: Config['trustProxy'],
  complain: Complain,
): AuthProxyConfig | null {
  const emailHeader = optional('AUTH_PROXY_HEADER')
  const nameHeader = optional('AUTH_PROXY_NAME_HEADER')
  const signOutUrl = optional('AUTH_PROXY_LOGOUT_URL')
  for (const name of ['AUTH_PROXY_HEADER', 'AUTH_PROXY_NAME_HEADER'] as const) {
    const header = optional(name)
    if (header !== null && !/^[A-Za-z0-9-]+$/.test(header)) {
      complain(`${name} must be the name of a header like Remote-Email, not "${header}".`)
    }
  }
  if (signOutUrl !== null && originOf(signOutUrl) === null) {
    complain('AUTH_PROXY_LOGOUT_URL must be a URL that begins with http:// or https://.')
  }
  if (emailHeader === null) {
    if (nameHeader !== null || signOutUrl !== null) {
      complain('AUTH_PROXY_NAME_HEADER and AUTH_PROXY_LOGOUT_URL need AUTH_PROXY_HEADER.')
    }
    return null
  }
  if (typeof trustProxy !== 'string') {
    complain(
      'AUTH_PROXY_HEADER needs TRUST_PROXY with the addresses or networks of the proxy, like 127.0.0.1. ' +
        'A number of proxies is not enough: anybody who reaches this port could then be anybody.',
    )
  }
  return {
    emailHeader: emailHeader.toLowerCase(),
    nameHeader: nameHeader?.toLowerCase() ?? null,
    signOutUrl,
  }
}

/** Reads the settings of an OpenID Connect provider. */
function readOidc(optional: Optional, complain: Complain): OidcConfig | null {
  const issuer = optional('OIDC_ISSUER')
  const clientId = optional('OIDC_CLIENT_ID')
  const clientSecret = optional('OIDC_CLIENT_SECRET')
  const name = optional('OIDC_NAME')
  if (issuer === null || clientId === null || clientSecret === null) {
    if ([issuer, clientId, clientSecret, name].some((each) => each !== null)) {
      complain('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.')
    }
    return null
  }
  if (originOf(issuer) === null || !isSafeIssuer(new URL(issuer))) {
    complain('OIDC_ISSUER must be a URL that begins with https://, or is on this machine.')
    return null
  }
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname }
}

/** The provider sends who somebody is, so nobody on the network may change it. */
function isSafeIssuer({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopbackHost(hostname)
}

function isSmtpUrl(text: string): boolean {
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).host !== ''
}

/** Returns `https://host:port` of a URL, or null if it is no http(s) URL. */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, origin } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? origin : null
}

/**
 * Returns whether a host name or address (IPv6 with or without brackets) can only be this machine.
 */
export function isLoopbackHost(host: string): boolean {
  return (
    /^(localhost|.+\.localhost|\[?::1\]?)$/i.test(host) ||
    (isIP(host) === 4 && host.startsWith('127.'))
  )
}

/** Reads TRUST_PROXY: false for none, a number of hops, or a list joined by commas. */
function trustedProxies(text: string): false | number | string {
  if (text === 'false' || /^0+$/.test(text)) return false
  // Fastify's `true` would trust any X-Forwarded-For. One hop is meant.
  if (text === 'true') return 1
  return /^\d+$/.test(text)
    ? Number(text)
    : text
        .split(/[\s,]+/)
        .filter(Boolean)
        .join(',')
}

/**
 * Returns whether Fastify accepts this as a proxy's address. For others Fastify throws, but only at
 * the first request.
 */
function isAddressOrNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', prefix = '1', ...more] = text.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  const bits = /^\d+$/.test(prefix) ? Number(prefix) : 0
  return version !== 0 && more.length === 0 && bits >= 1 && bits <= (version === 4 ? 32 : 128)
}

/**
 * Returns the check whether an address is one of a list, as Fastify reads it.
 * @param list addresses and networks, joined by commas.
 */
export function addressCheck(list: string): (address: string | undefined) => boolean {
  const isListed = proxyAddr.compile(list.split(','))
  return (address) => address !== undefined && isListed(address, 0)
}

/** Returns the host of the default support address. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : 'localhost'
}
