/** The types of the parts of smtp-server that the tests use; the package has none. */
declare module 'smtp-server' {
  import type { Server } from 'node:net'
  import type { Readable } from 'node:stream'

  export class SMTPServer {
    constructor(options: {
      authOptional?: boolean
      disabledCommands?: string[]
      onRcptTo(
        address: { readonly address: string },
        session: unknown,
        callback: (error?: Error) => void,
      ): void
      onData(
        stream: Readable,
        session: { readonly secure: boolean },
        callback: (error?: Error) => void,
      ): void
    })
    readonly server: Server
    listen(port: number, host: string, callback: () => void): void
    close(callback: () => void): void
  }
}
