/**
 * The one road to the backend. Everything goes through the official SDK, which is loaded when the
 * first call is made, so that a known user's screen paints before it is there.
 */
import type { CollectionId, DocumentOf, NewAttributes } from '@stint/core/collections.ts'
import type { Prefs } from '@stint/core/settings.ts'

export interface User {
  readonly id: string
  readonly name: string
  readonly email: string
}

export type { DocumentOf }

export interface ListOptions {
  readonly equal?: Readonly<Record<string, string | boolean>>
  /** Only documents changed at or after this instant (ISO text). */
  readonly updatedSince?: string
  /** Without one: newest created first. */
  readonly order?: 'newest-created' | 'oldest-updated'
  readonly limit: number
  readonly cursorAfter?: string
  /** Only these attributes, beside the system ones. */
  readonly select?: readonly string[]
  /** True asks how many documents match, which the backend must count. */
  readonly withTotal?: boolean
}

export interface DocumentPage<C extends CollectionId> {
  /** How many documents match; 0 without `withTotal`. */
  readonly total: number
  readonly documents: readonly DocumentOf<C>[]
}

/** What Stint's own server tells anyone (GET /stint/info). */
export interface ServerInfo {
  readonly version: string
  readonly supportEmail: string
  readonly recovery: boolean
  readonly signup: 'open' | 'closed'
}

export interface AccountDetails extends User {
  readonly emailVerified: boolean
}

/** A sign-in of the user, here or elsewhere. */
export interface SignedInDevice {
  readonly sessionId: string
  /** Epoch milliseconds. */
  readonly signedInAt: number
  /** As far as the browser tells, else ''. */
  readonly browser: string
  readonly system: string
  readonly ip: string
  readonly isCurrent: boolean
}

/** Each rejects with BackendError. */
export interface AccountCalls {
  details(): Promise<AccountDetails>
  changeName(name: string): Promise<AccountDetails>
  changeEmail(input: { email: string; password: string }): Promise<AccountDetails>
  /** Ends the sessions of all other devices. */
  changePassword(input: { password: string; oldPassword: string }): Promise<void>
  /** Asks for a mail whose link leads to `url`. */
  sendVerification(url: string): Promise<void>
  devices(): Promise<readonly SignedInDevice[]>
  endSession(sessionId: string): Promise<void>
  /** Deletes the account and everything in it. Stint's own server only. */
  deleteAccount(input: { email: string; password: string }): Promise<void>
}

/** A document that was created, changed or deleted on any of the user's devices. */
export type DocumentEvent = {
  [C in CollectionId]: {
    readonly collection: C
    readonly action: 'upsert' | 'delete'
    readonly document: DocumentOf<C>
  }
}[CollectionId]

export interface EventHandlers {
  readonly onEvent: (event: DocumentEvent) => void
  /** The account or its preferences were changed on any of the user's devices. */
  readonly onAccountChanged: () => void
  /** Called whenever the socket is (again) open: events before it are lost. */
  readonly onOpen: () => void
}

export interface Subscription {
  close(): void
}

/** Every call rejects with BackendError. Nothing here retries: that is sync's business. */
export interface Backend {
  currentUser(): Promise<User>
  signUp(input: { name: string; email: string; password: string }): Promise<void>
  signIn(input: { email: string; password: string; rememberMe: boolean }): Promise<void>
  /** Ends all of the user's sign-ins, or only this one. */
  signOut(input: { thisDeviceOnly: boolean }): Promise<void>
  /** Asks for a mail whose link leads to `url`; the same answer whoever has the address. */
  requestRecovery(input: { email: string; url: string }): Promise<void>
  /** Sets a new password with what the link of the mail carried. */
  resetPassword(input: { userId: string; secret: string; password: string }): Promise<void>
  /** Proves the e-mail address with what the link of the mail carried. */
  verifyEmail(input: { userId: string; secret: string }): Promise<void>
  /** What is done with an account, loaded when it is asked for. */
  account(): Promise<AccountCalls>
  /** The account's preferences; `savePrefs` replaces them all. */
  prefs(): Promise<Prefs>
  savePrefs(prefs: Prefs): Promise<void>
  /** Null for a backend that is not Stint's own. Also tells how the server's clock stands. */
  serverInfo(): Promise<ServerInfo | null>
  list<C extends CollectionId>(collection: C, options: ListOptions): Promise<DocumentPage<C>>
  get<C extends CollectionId>(collection: C, id: string): Promise<DocumentOf<C>>
  create<C extends CollectionId>(
    collection: C,
    id: string,
    data: NewAttributes<C>,
  ): Promise<DocumentOf<C>>
  update<C extends CollectionId>(
    collection: C,
    id: string,
    data: Partial<NewAttributes<C>>,
    /** Epoch milliseconds: refused as a conflict when the document was changed after it. */
    unchangedSince?: number,
  ): Promise<DocumentOf<C>>
  /**
   * Changes documents, or creates those that are not there, all or none. Null from a backend that
   * cannot: then they are sent one by one.
   */
  saveTogether<C extends CollectionId>(
    collection: C,
    documents: readonly DocumentToSave<C>[],
  ): Promise<readonly DocumentOf<C>[] | null>
  /** `unchangedSince` as in `update`. */
  delete(collection: CollectionId, id: string, unchangedSince?: number): Promise<void>
  subscribe(handlers: EventHandlers): Subscription
}

export interface DocumentToSave<C extends CollectionId> {
  readonly id: string
  /** When it is there already, an earlier try brought it, and it is left as it is now. */
  readonly isNew: boolean
  readonly data: Partial<NewAttributes<C>>
  /** As in `update`; when it was changed, none is saved. */
  readonly unchangedSince?: number | undefined
}

/** How the server's clock stood when it answered. */
export interface ServerTimeSample {
  readonly serverTime: number
  readonly sentAt: number
  readonly receivedAt: number
}
