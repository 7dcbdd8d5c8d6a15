import { createHash, randomBytes } from 'node:crypto'
import { LedgerError } from '#src/domain/errors.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import type { SessionContract } from '#src/http/verification/documents.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

/** What a session has found so far. */
export interface SessionData {
  readonly contracts: readonly SessionContract[]
  readonly unused: readonly string[]
}

interface StoredSession extends SessionData {
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
const sweepEveryMs = 60_000
const attemptsMax = 10
const nothing: SessionData = { contracts: [], unused: [] }
export const sessionIdForm = /^[\w-]{43}$/

/** Sessions of pages, by ids that nobody can guess. They lie beside the plan, so that any thread and process knows them. */
export class Sessions {
  readonly #options: SessionsOptions
  #sweptAt = 0

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  newId(): string {
    return randomBytes(32).toString('base64url')
  }

  async read(id: string): Promise<SessionData> {
    const { contracts, unused } = (await this.#load(id)).session ?? nothing
    return { contracts, unused }
  }

  /** Adds what a call found; what was found before under the same id gives way to it. */
  async add(
    id: string,
    found: { readonly contract: SessionContract; readonly unused: readonly string[] },
    bytes: number,
  ) {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const { session = { ...nothing, bytes: 0 }, revision } = await this.#load(id)
      const { contract, unused } = found
      const others = session.contracts.filter(({ verificationId }) => verificationId !== contract.verificationId)
      const total = session.bytes + (others.length < session.contracts.length ? 0 : bytes)
      if (total > this.#options.bytesMax || others.length >= contractsMax) throw tooMuch()
      const next: SessionData = {
        contracts: [...others, contract],
        unused: [...new Set([...session.unused, ...unused])],
      }
      if (await this.#store(id, { ...next, bytes: total }, revision)) return next
    }
    throw new LedgerError('store_unavailable', 'Cannot store session')
  }

  /** A used session begins its time anew. */
  async touch(id: string): Promise<void> {
    const { session, revision } = await this.#load(id)
    if (session !== undefined) await this.#store(id, session, revision)
  }

  async clear(id: string): Promise<void> {
    await this.#control.remove(nameOf(id))
  }

  async #load(id: string): Promise<{ readonly session?: StoredSession; readonly revision: number }> {
    const document = await this.#control.get(nameOf(id))
    if (document === undefined) return { revision: 0 }
    // What stands there is what `#store` wrote.
    const session = JSON.parse(document.text) as StoredSession
    const { revision } = document
    return session.expires > this.#options.clock.now() ? { session, revision } : { revision }
  }

  async #store(id: string, session: Omit<StoredSession, 'expires'>, revision: number): Promise<boolean> {
    const { clock, ttlMs } = this.#options
    if (revision === 0) await this.#sweep()
    const text = JSON.stringify({ ...session, expires: clock.now() + ttlMs } satisfies StoredSession)
    return this.#control.put(nameOf(id), text, revision)
  }

  /** Takes away what is over, now and then, before there is more. */
  async #sweep(): Promise<void> {
    const now = this.#options.clock.now()
    if (now - this.#sweptAt < sweepEveryMs) return
    this.#sweptAt = now
    const all = await this.#control.list(prefix)
    const over = all.filter(({ text }) => (JSON.parse(text) as StoredSession).expires <= now)
    for (const { name } of over) await this.#control.remove(name)
    if (all.length - over.length >= sessionsMax) {
      this.#sweptAt = 0
      throw new VerificationProblem('overloaded', 'There are too many sessions, try again later')
    }
  }

  get #control(): ControlStore {
    const control = this.#options.control()
    if (control === undefined) throw new LedgerError('store_unavailable', 'Cannot store session')
    return control
  }
}

/** The store never sees the id itself. */
function nameOf(id: string): string {
  return `${prefix}${createHash('sha256').update(id).digest('hex')}`
}

function tooMuch(): Error {
  return Object.assign(new Error('Too much session memory used. Delete some files or clear the session.'), {
    statusCode: 413,
  })
}
