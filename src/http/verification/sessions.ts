import { createHash, randomBytes } from 'node:crypto'
import { LedgerError } from '#src/domain/errors.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import type { SessionContract } from '#src/http/verification/documents.ts'
import type { GivenFile } from '#src/http/verification/given-files.ts'
import { emptySession, type SessionState, withFiles } from '#src/http/verification/session-state.ts'
import { SessionTexts } from '#src/http/verification/session-texts.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { ContentHash } from '#src/ports/content-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

interface StoredSession extends SessionState {
  /** When it is over unless it is used again; ms. */
  readonly expires: number
  /** Of the texts that its contracts are of. */
  readonly bytes: number
}

export interface SessionsOptions {
  /** The store that all processes of the deployment share; undefined while it is not open. */
  readonly control: () => ControlStore | undefined
  readonly clock: Clock
  readonly ttlMs: number
  readonly bytesMax: number
}

const prefix = 'verification-session/'
const contractsMax = 100
const sessionsMax = 10_000
/** Of all sessions together, as of the newest look. */
const heldBytesMax = 1 << 30
const sweepEveryMs = 60_000
const attemptsMax = 10
export const sessionIdForm = /^[\w-]{43}$/

/** Sessions of pages, by ids that nobody can guess. They lie beside the plan, so that any thread and process knows them. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #texts: SessionTexts
  #sweptAt = 0

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#texts = new SessionTexts(() => this.#control)
  }

  newId(): string {
    return randomBytes(32).toString('base64url')
  }

  async read(id: string): Promise<SessionState> {
    return (await this.#load(id)).session ?? emptySession
  }

  /** Adds what a call found; what was found before under the same id gives way to it. */
  add(
    id: string,
    found: { readonly contract: SessionContract; readonly unused: readonly string[] },
    bytes: number,
  ): Promise<SessionState> {
    return this.#change(id, async (session) => {
      const { contract, unused } = found
      const others = session.contracts.filter(({ verificationId }) => verificationId !== contract.verificationId)
      return {
        ...session,
        contracts: [...others, contract],
        unused: [...new Set([...session.unused, ...unused])],
        bytes: session.bytes + (others.length < session.contracts.length ? 0 : bytes),
      }
    })
  }

  /** Adds files, whose texts are there before the session names them. */
  addFiles(id: string, files: readonly GivenFile[]): Promise<SessionState> {
    return this.#change(id, async (session) => {
      const { state, texts } = withFiles(session, files)
      const added = [...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      const next = { ...state, bytes: session.bytes + added }
      this.#assertRoom(next)
      await this.#texts.put(nameOf(id), texts)
      return next
    })
  }

  /** Replaces contracts that are still there. */
  update(id: string, contracts: readonly SessionContract[]): Promise<SessionState> {
    const byId = new Map(contracts.map((contract) => [contract.verificationId, contract]))
    return this.#change(id, async (session) => ({
      ...session,
      contracts: session.contracts.map((each) => byId.get(each.verificationId) ?? each),
    }))
  }

  /** Texts of a session's files. */
  texts(id: string, hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>> {
    return this.#texts.get(nameOf(id), hashes)
  }

  /** A used session begins its time anew. */
  async touch(id: string): Promise<void> {
    const { session, revision } = await this.#load(id)
    if (session !== undefined) await this.#store(id, session, revision)
  }

  async clear(id: string): Promise<void> {
    const { session } = await this.#load(id)
    await this.#remove(nameOf(id), session)
  }

  async #change(id: string, change: (session: StoredSession) => Promise<Omit<StoredSession, 'expires'>>) {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const { session = { ...emptySession, bytes: 0, expires: 0 }, revision } = await this.#load(id)
      // Before anything of it is written: there may be no room for one more.
      if (revision === 0) await this.#sweep()
      const next = await change(session)
      this.#assertRoom(next)
      if (await this.#store(id, next, revision)) return next
    }
    throw new LedgerError('store_unavailable', 'Cannot store session')
  }

  #assertRoom({ bytes, contracts }: Omit<StoredSession, 'expires'>): void {
    if (bytes <= this.#options.bytesMax && contracts.length <= contractsMax) return
    const message = 'Too much session memory used. Delete some files or clear the session.'
    throw Object.assign(new Error(message), { statusCode: 413 })
  }

  async #load(id: string): Promise<{ readonly session?: StoredSession; readonly revision: number }> {
    const document = await this.#control.get(nameOf(id))
    if (document === undefined) return { revision: 0 }
    const session = storedIn(document.text)
    const { revision } = document
    if (session.expires > this.#options.clock.now()) return { session, revision }
    await this.#remove(nameOf(id), session)
    return { revision: 0 }
  }

  async #store(id: string, session: Omit<StoredSession, 'expires'>, revision: number): Promise<boolean> {
    const { clock, ttlMs } = this.#options
    const text = JSON.stringify({ ...session, expires: clock.now() + ttlMs } satisfies StoredSession)
    return this.#control.put(nameOf(id), text, revision)
  }

  /** Takes away what is over, now and then, before there is more. */
  async #sweep(): Promise<void> {
    const now = this.#options.clock.now()
    if (now - this.#sweptAt < sweepEveryMs) return
    this.#sweptAt = now
    const all = (await this.#control.list(prefix)).map(({ name, text }) => ({ name, session: storedIn(text) }))
    const over = all.filter(({ session }) => session.expires <= now)
    for (const { name, session } of over) await this.#remove(name, session)
    const left = all.filter(({ session }) => session.expires > now)
    const held = left.reduce((sum, { session }) => sum + session.bytes, 0)
    if (left.length >= sessionsMax || held >= heldBytesMax) {
      this.#sweptAt = 0
      throw new VerificationProblem('overloaded', 'There are too many sessions, try again later')
    }
  }

  async #remove(name: string, session: StoredSession | undefined): Promise<void> {
    await this.#control.remove(name)
    await this.#texts.remove(name, session?.files.map(({ hash }) => hash) ?? [])
  }

  get #control(): ControlStore {
    const control = this.#options.control()
    if (control === undefined) throw new LedgerError('store_unavailable', 'Cannot store session')
    return control
  }
}

/** What stands there is what `#store` wrote, in this release or in one that took no files. */
function storedIn(text: string): StoredSession {
  return { ...emptySession, ...(JSON.parse(text) as StoredSession) }
}

/** The store never sees the id itself. */
function nameOf(id: string): string {
  return `${prefix}${createHash('sha256').update(id).digest('hex')}`
}
