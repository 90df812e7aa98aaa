/** The key with which the server signs what it sends to push services (VAPID). */
import { createECDH } from 'node:crypto'
import webPush from 'web-push'
import type { Config } from '#config.ts'
import { OperatorError } from '#operator-error.ts'
import { first } from '#storage/database.ts'
import type { Database } from '#storage/database.ts'

/** Both in base64url, as the push services read them. */
export interface PushKey {
  readonly publicKey: string
  readonly privateKey: string
}

/**
 * Returns the key of the configuration, else the one in the database, which the first start makes. All processes of a
 * database have the same one. Null: push is switched off.
 * @throws OperatorError when the configured key is none.
 */
export async function pushKey(
  db: Database,
  { push }: Pick<Config, 'push'>,
): Promise<PushKey | null> {
  if (!push.isOn) return null
  const privateKey = push.privateKey ?? (await storedKey(db))
  return { publicKey: publicKeyOf(privateKey), privateKey }
}

async function storedKey(db: Database): Promise<string> {
  const known = db.build.selectFrom('push_keys').select('private_key').where('id', '=', 1)
  const stored = await first(db.read(known))
  if (stored !== undefined) return stored.private_key
  const { privateKey } = webPush.generateVAPIDKeys()
  const inserted = await db.write(async (tx) => {
    await tx.run(
      tx.build
        .insertInto('push_keys')
        .values({ id: 1, private_key: privateKey })
        .onConflict((conflict) => conflict.doNothing()),
    )
    return first(tx.run(known))
  })
  // Another process may have been faster.
  return inserted?.private_key ?? privateKey
}

/** @throws OperatorError when it is no private key. */
function publicKeyOf(privateKey: string): string {
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(privateKey, 'base64url')
    return curve.getPublicKey('base64url')
  } catch {
    throw new OperatorError('VAPID_PRIVATE_KEY is no private key of the curve P-256.')
  }
}
