/**
 * Terminates TLS in front of Stint as a proxy does, and forwards everything unchanged, sockets
 * included.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createServer } from 'node:tls'

export interface TlsFront {
  readonly url: string
  close(): Promise<void>
}

/** Listens on `port` of this machine for https, and forwards to `target` over http. */
export async function startTlsFront(port: number, target: string): Promise<TlsFront> {
  const open = new Set<Socket>()
  const front = createServer({ key: KEY, cert: CERTIFICATE }, (client) => {
    const onward = connect(Number(new URL(target).port), '127.0.0.1')
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    client.pipe(onward).pipe(client)
  })
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve))
  return {
    url: `https://localhost:${port}`,
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => front.close(() => resolve()))
    },
  }
}

/**
 * A self-signed certificate for localhost, which no browser trusts by default. Its key is no
 * secret.
 */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUGO0l+4sIOdDs8ctBgsEZKPhfY3cwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjEwNTE0MFoYDzIxMjYxMDI5
MTA1MTQwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASoAt+oVFR0iw2F3qyEyTYqjO3+UJTNH/gSUwQve50ZxyZ5Syk5Q1OA
GrlHTr//2l/Pk2NvMqC5Qoqn5JjrS5ILo2kwZzAdBgNVHQ4EFgQUij0+joUNF470
bZ2XmX7UtmOagoswHwYDVR0jBBgwFoAUij0+joUNF470bZ2XmX7UtmOagoswDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgfIuSYB65Wh180cgAGJpUfnaSDB4bIoanec58iclMM5UCIBYtBDiZ2D8n
wwTeeinxah/9pKQDveJBH3yGxTYeqX8e
-----END CERTIFICATE-----`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwxlS0nmtxrzrSksU
Vr4OLYsGwYAOO+PrLw+W8ceGRbqhRANCAASoAt+oVFR0iw2F3qyEyTYqjO3+UJTN
H/gSUwQve50ZxyZ5Syk5Q1OAGrlHTr//2l/Pk2NvMqC5Qoqn5JjrS5IL
-----END PRIVATE KEY-----`
