/** What the server writes to its log, and how. */
import { terminalJson } from '@stint/core/terminal.ts'
import type { Config } from './config.ts'

/**
 * Returns the options of the log: JSON lines, in which passwords, sessions and secrets are redacted, and which control no
 * terminal. JSON itself escapes neither the control characters from U+007F on nor bidirectional overrides.
 */
export function loggerOptions({ logLevel }: Pick<Config, 'logLevel'>) {
  return {
    level: logLevel,
    hooks: { streamWrite: terminalJson },
    redact: {
      paths: [
        'req.headers.cookie',
        'req.headers.authorization',
        'req.headers["x-fallback-cookies"]',
        'req.headers["x-appwrite-session"]',
        'res.headers["set-cookie"]',
        '*.password',
        '*.oldPassword',
        '*.secret',
        '*.token',
      ],
      censor: '[redacted]',
    },
  }
}
