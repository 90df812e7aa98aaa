/** An authenticator app in software (RFC 6238), and the second factor by the routes of the API. */
import { createHmac } from 'node:crypto'
import { TEST_PASSWORD } from './test-app.ts'
import type { TestBrowser } from './test-app.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code that an app shows at this moment, in epoch milliseconds. */
export function codeOf(secret: string, now: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

/** Switches the second factor on. Returns the secret and the recovery codes. */
export async function turnOn(
  browser: TestBrowser,
  now: number,
  password = TEST_PASSWORD,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body } = await browser.call('POST', '/stint/second-factor', { password })
  const code = codeOf(body.secret, now)
  const confirmed = await browser.call('POST', '/stint/second-factor/confirmation', { code })
  if (confirmed.status !== 200) throw new Error(JSON.stringify([body, confirmed.body]))
  return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes }
}

function fromBase32(text: string): Buffer {
  const bits = text.split('').map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
