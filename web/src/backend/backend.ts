/**
 * The interface to the backend. Every call goes through the official SDK, which is loaded at the first
 * call so that a known user's screen does not wait for it.
 */
import type { ProposedChange } from '@stint/core/record/proposal.ts'
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
  /** Only documents changed at or after this instant (ISO 8601). */
  readonly updatedSince?: string
  /** Default: 'newest-created'. */
  readonly order?: 'newest-created' | 'oldest-updated'
  readonly limit: number
  readonly cursorAfter?: string
  /** Only these attributes and the system attributes. */
  readonly select?: readonly string[]
  /** True asks for the total, which the backend must count. */
  readonly withTotal?: boolean
}

export interface DocumentPage<C extends CollectionId> {
  /** The number of matching documents; 0 without `withTotal`. */
  readonly total: number
  readonly documents: readonly DocumentOf<C>[]
  /** The id after which the next page begins, or null if this is the last page. */
  readonly cursor: string | null
}

/** Who may create an account: anybody, whoever has an invitation, nobody. */
export type SignupPolicy = 'open' | 'invite' | 'closed'

/** The public information of Stint's own server (GET /stint/info). */
export interface ServerInfo {
  readonly version: string
  readonly supportEmail: string
  readonly recovery: boolean
  readonly signup: SignupPolicy
  /** The name of the provider that signs people in; null: none. */
  readonly provider: string | null
  /** The proxy in front of the server that signs people in; null: none. */
  readonly proxy: {
    /** The email address of the person whom it has signed in; null: nobody. */
    readonly person: string | null
    readonly signOutUrl: string | null
  } | null
  /** The domain whose pages can sign in with passkeys; null: none. */
  readonly passkeyDomain: string | null
  /** Epoch milliseconds; null if the server does not tell the time. */
  readonly serverTime: number | null
  /**
   * When the server last made a backup, in epoch milliseconds; 'none' if it makes none, and null if it
   * does not tell.
   */
  readonly lastBackupAt: number | 'none' | null
}

export interface AccountDetails extends User {
  readonly emailVerified: boolean
}

/** One of the user's sign-ins, on this device or another. */
export interface SignedInDevice {
  readonly sessionId: string
  /** Epoch milliseconds. */
  readonly signedInAt: number
  /** The browser's name, '' when unknown. */
  readonly browser: string
  readonly system: string
  readonly ip: string
  readonly isCurrent: boolean
}

/** What a program may do with a key. 'write' includes reading. */
export type KeyAccess = 'read' | 'write'

/** A key with which a program acts in the user's name. Instants are epoch milliseconds. */
export interface PersonalKey {
  readonly id: string
  readonly name: string
  readonly access: KeyAccess
  readonly createdAt: number
  /** Null when it was never used. */
  readonly lastUsedAt: number | null
}

/** A passkey of the account. Instants are epoch milliseconds. */
export interface OwnPasskey {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  /** Null when it was never used. */
  readonly lastUsedAt: number | null
}

export interface SecondFactor {
  readonly isOn: boolean
  /** How many recovery codes are left. */
  readonly recoveryCodes: number
}

/** What an authenticator app is told, as text and as the address in a QR code. */
export interface NewSecondFactor {
  readonly secret: string
  readonly address: string
}

export interface OwnPasskeys {
  /** Oldest first. */
  readonly passkeys: readonly OwnPasskey[]
  /** Whether the account has a password as well. */
  readonly hasPassword: boolean
}

/** How the user confirms who they are; null: the account has neither. */
export type Proof = { readonly password: string } | 'passkey' | null

/** A message to a webhook. */
export interface WebhookDelivery {
  readonly id: string
  readonly event: string
  readonly status: 'waiting' | 'delivered' | 'failed'
  /** What the last try resulted in, for people; null before the first. */
  readonly answer: string | null
  readonly createdAt: number
}

/** The webhook of a key. */
export interface Webhook {
  /** Null: there is none. */
  readonly url: string | null
  /** The newest first. */
  readonly deliveries: readonly WebhookDelivery[]
}

/** Changes of sessions that an assistant proposes. `createdAt` is epoch milliseconds. */
export interface Proposal {
  readonly id: string
  /** The name of the assistant's key. */
  readonly keyName: string
  readonly reason: string
  readonly createdAt: number
  readonly changes: readonly ProposedChange[]
}

/** What is at the address of a calendar. */
export interface ReadCalendar {
  readonly text: string | null
  readonly etag: string | null
}

/** The account calls. Each rejects with BackendError. */
/** How devices are told of the timer. */
export interface PushState {
  /** The key for subscriptions; null: the server tells no devices. */
  readonly publicKey: string | null
  /** Whether this device is told. */
  readonly isTold: boolean
  /** The request that carries a press in a notification. */
  readonly presses: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/** What the push service of this browser gave, in base64url. */
export interface PushDevice {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly withNames: boolean
  /** Of a device that is also asked and reminded; null: it is not. */
  readonly timeZone: string | null
}

export interface AccountCalls {
  details(): Promise<AccountDetails>
  changeName(name: string): Promise<AccountDetails>
  changeEmail(input: { email: string; password: string }): Promise<AccountDetails>
  /** Ends the sign-ins of all other devices. */
  changePassword(input: { password: string; oldPassword: string }): Promise<void>
  /** Requests an email whose link leads to `url`. */
  sendVerification(url: string): Promise<void>
  devices(): Promise<readonly SignedInDevice[]>
  endSession(sessionId: string): Promise<void>
  /** Deletes the account and its data. Only on Stint's own server, as all that follows. */
  deleteAccount(input: { email: string; password: string }): Promise<void>
  secondFactor(): Promise<SecondFactor>
  /** Begins to ask for codes at a sign-in with the password. */
  beginSecondFactor(password: string): Promise<NewSecondFactor>
  /** Asks for codes from now on. Returns the recovery codes, which the server does not tell again. */
  confirmSecondFactor(code: string): Promise<readonly string[]>
  endSecondFactor(code: string): Promise<void>
  passkeys(): Promise<OwnPasskeys>
  /**
   * Confirms who is signed in. Returns the function that makes the passkey and adds it: browsers want a press for each
   * request to a passkey.
   */
  beginPasskey(proof: Proof): Promise<(name: string) => Promise<void>>
  renamePasskey(id: string, name: string): Promise<void>
  removePasskey(id: string, proof: Proof): Promise<void>
  /** Sets a password, confirmed by a passkey. Ends the sign-ins of all other devices. */
  setPassword(password: string): Promise<void>
  /** Oldest first. */
  keys(): Promise<readonly PersonalKey[]>
  /** Returns the secret, which the server does not tell again. */
  createKey(input: { name: string; access: KeyAccess }): Promise<string>
  revokeKey(id: string): Promise<void>
  webhook(keyId: string): Promise<Webhook>
  /** Creates the webhook or replaces it. Returns the secret, which the server does not tell again. */
  createWebhook(keyId: string, url: string): Promise<string>
  testWebhook(keyId: string): Promise<void>
  removeWebhook(keyId: string): Promise<void>
  /** Returns whether calendars can read the user's sessions from an address. */
  hasFeed(): Promise<boolean>
  /** Creates the address or replaces it. Returns it; the server does not tell it again. */
  createFeed(): Promise<string>
  revokeFeed(): Promise<void>
  push(): Promise<PushState>
  /** Has this device told of the timer, as long as its sign-in lasts. */
  tellDevice(device: PushDevice): Promise<void>
  /** Has this device told nothing more. */
  forgetDevice(): Promise<void>
  /** Reads the calendar at an address. `text` is null if nothing has changed since the ETag. */
  readCalendar(address: { url: string; etag: string | null }): Promise<ReadCalendar>
  /** Oldest first. */
  proposals(): Promise<readonly Proposal[]>
  /** Ends a proposal that was accepted or dismissed. */
  endProposal(id: string): Promise<void>
}

/** A document that was created, changed or deleted on one of the user's devices. */
export type DocumentEvent = {
  [C in CollectionId]: {
    readonly collection: C
    readonly action: 'upsert' | 'delete'
    readonly document: DocumentOf<C>
  }
}[CollectionId]

export interface EventHandlers {
  readonly onEvent: (event: DocumentEvent) => void
  /** Called when the account or its preferences change on one of the user's devices. */
  readonly onAccountChanged: () => void
  /** Called whenever the socket opens. Events before that are lost. */
  readonly onOpen: () => void
}

export interface Subscription {
  close(): void
}

export interface PasskeySignIn {
  /** Asked when a passkey was chosen. */
  readonly rememberMe: () => boolean
  /** Offers passkeys in the list of the email field until one is chosen or the offer is aborted; null: asks for one now. */
  readonly autofill: AbortSignal | null
}

/** Every call rejects with BackendError. The backend does not retry; sync does. */
export interface Backend {
  /** Whether it may be Stint's own server. False in a build for a real Appwrite. */
  readonly ownServer: boolean
  currentUser(): Promise<User>
  /** `invite` is the secret of an invitation; null: there is none. */
  signUp(input: {
    name: string
    email: string
    password: string
    invite: string | null
  }): Promise<void>
  /** Creates an account with a passkey in place of a password, and signs in. `passkeyName` is what its owner calls it. */
  signUpWithPasskey(input: {
    name: string
    email: string
    passkeyName: string
    invite: string | null
  }): Promise<void>
  /** Signs in with a passkey. Returns whether the sign-in is remembered. */
  signInWithPasskey(input: PasskeySignIn): Promise<boolean>
  /** Signs in the person whom the proxy in front of Stint's own server has signed in. */
  signInByProxy(invite: string | null): Promise<void>
  /** Returns the address of the provider at which this browser goes on signing in. */
  beginProviderSignIn(input: { rememberMe: boolean; invite: string | null }): Promise<string>
  /** `code` is one of the second factor, if the account asks for it: else the call rejects with stint_code_required. */
  signIn(input: {
    email: string
    password: string
    rememberMe: boolean
    code?: string | undefined
  }): Promise<void>
  /** Ends all of the user's sign-ins, or only the current one. */
  signOut(input: { thisDeviceOnly: boolean }): Promise<void>
  /**
   * Requests an email whose link leads to `url`. Resolves whether or not the address has an account.
   */
  requestRecovery(input: { email: string; url: string }): Promise<void>
  /** Sets a new password with the secret of the recovery email. */
  resetPassword(input: { userId: string; secret: string; password: string }): Promise<void>
  /** Confirms the email address with the secret of the verification email. */
  verifyEmail(input: { userId: string; secret: string }): Promise<void>
  /** Returns the account calls, loading them at the first request. */
  account(): Promise<AccountCalls>
  /** Returns the account's preferences. */
  prefs(): Promise<Prefs>
  /** Replaces all of the account's preferences. */
  savePrefs(prefs: Prefs): Promise<void>
  /** Returns null on a backend other than Stint's own server. Also samples the server's clock. */
  serverInfo(): Promise<ServerInfo | null>
  list<C extends CollectionId>(collection: C, options: ListOptions): Promise<DocumentPage<C>>
  create<C extends CollectionId>(
    collection: C,
    id: string,
    data: NewAttributes<C>,
  ): Promise<DocumentOf<C>>
  update<C extends CollectionId>(
    collection: C,
    id: string,
    data: Partial<NewAttributes<C>>,
    /** Epoch milliseconds. Rejects with a conflict when the document was changed after this instant. */
    unchangedSince?: number,
  ): Promise<DocumentOf<C>>
  /**
   * Updates or creates documents in one transaction: all or none. Returns null on a backend without
   * this route; the caller then sends them one by one.
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
  /** True: an existing document comes from an earlier attempt and is left unchanged. */
  readonly isNew: boolean
  readonly data: Partial<NewAttributes<C>>
  /** As in `update`. One conflict rejects the whole batch. */
  readonly unchangedSince?: number | undefined
}

/** A sample of the server's clock, all in epoch milliseconds. */
export interface ServerTimeSample {
  readonly serverTime: number
  readonly sentAt: number
  readonly receivedAt: number
}
