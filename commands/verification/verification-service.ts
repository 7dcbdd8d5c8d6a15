import { randomUUID } from 'node:crypto'
import { digestOf, eventIdFor } from '#commands/status/command-ids.ts'
import type { ContractCodes, FoundContract } from '#commands/verification/contract-codes.ts'
import { decideMatch, decideRequest, decideStep } from '#commands/verification/decide.ts'
import {
  chainStream,
  contractStream,
  type VerificationEvent,
  type VerificationEventData,
} from '#commands/verification/events.ts'
import { type ContractState, type RequestOutcome, stateOf } from '#commands/verification/state.ts'
import { compileAndMatch, failureOf, fetchSources, type StepTools, tryOut } from '#commands/verification/steps.ts'
import { storeInput } from '#commands/verification/stored-input.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { isVerificationProblem, VerificationProblem } from '#src/domain/verification/problem.ts'
import { type Clock, rest } from '#src/ports/clock.ts'
import type { DecisionStore, NewDecision } from '#src/ports/decision-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { Outcome } from '#src/verification/outcome.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'

export interface VerificationServiceOptions extends StepTools {
  readonly store: DecisionStore
  readonly codes: ContractCodes
  readonly clock: Clock
  readonly logger: Logger
  /** Requests that this process works on at once; further ones are refused. */
  readonly atOnceMax: number
  /** After so long without a step, a request of another process is taken over; ms. */
  readonly takeOverMs: number
  /** Ends what runs; what is open then is gone on with by whoever comes next. */
  readonly signal: AbortSignal
}

export type RequestSource =
  | { readonly kind: 'explorer'; readonly apiKey?: string | undefined }
  | { readonly kind: 'caller'; readonly input: VerificationInput }

export interface StartedRequest {
  /** Of the request that is worked on, which may be another's that was there first. */
  readonly id: string
  readonly outcome: Promise<RequestOutcome>
}

type Named = Pick<FoundContract, 'chain' | 'entity'>

const actor = { actor: 'verification-api', actor_role: 'automation', schema_version: 1 } as const
const attemptsMax = 50
const pollMs = 100

/**
 * Where verifications are decided: each request is a few events on the stream of its contract, each step of it is appended at the
 * revision that it was decided on. Whoever finds a request open goes on with it, so that it ends in one outcome, whoever dies meanwhile.
 */
export class VerificationService {
  readonly #options: VerificationServiceOptions
  /** What this process works on, by request. */
  readonly #running = new Map<string, Promise<RequestOutcome>>()
  #trials = 0

  constructor(options: VerificationServiceOptions) {
    this.#options = options
  }

  /** How many requests this process works on. */
  get running(): number {
    return this.#running.size + this.#trials
  }

  /** What would come of an input, of which nothing is kept. Rejects with the problem that keeps it from an outcome, or with the signal's reason. */
  async tryOut(contract: FoundContract, input: VerificationInput, signal: AbortSignal): Promise<Outcome> {
    this.#assertRoom()
    this.#trials += 1
    try {
      return await tryOut(this.#options, contract, input, AbortSignal.any([signal, this.#options.signal]))
    } finally {
      this.#trials -= 1
    }
  }

  /** Begins to verify a contract, or joins who does already. Rejects with `overloaded` where too many run. */
  async request(contract: FoundContract, source: RequestSource, id: string = randomUUID()): Promise<StartedRequest> {
    const { chain, entity, address } = contract
    const input = source.kind === 'caller' ? (await storeInput(this.#options.contents, source.input)).hash : null
    const data = { chain, entity, request_id: id, address, source: source.kind, input, at: '' }
    const state = await this.#retrying(async () => {
      const before = await this.stateOf(contract)
      const events = decideRequest(before, { ...data, at: this.#now() })
      if (events.length > 0) this.#assertRoom()
      await this.#append(contract, before, events)
      return events.length > 0 ? this.stateOf(contract) : before
    })
    const apiKey = source.kind === 'explorer' ? source.apiKey : undefined
    const known = state.outcomes.get(id)
    if (known !== undefined) return { id, outcome: Promise.resolve(known) }
    const { open } = state
    if (open === undefined) return this.request(contract, source, id)
    if (open.id === id) return { id, outcome: this.#run(contract, id, apiKey) }
    const joined = this.#running.get(open.id) ?? this.#follow(contract, open.id)
    const isSame = open.source === source.kind && (source.kind === 'explorer' || open.input === input)
    return isSame ? { id: open.id, outcome: joined } : this.#after(joined, contract, source, id)
  }

  /** What was asked otherwise is asked once the first is over. */
  async #after(first: Promise<unknown>, contract: FoundContract, source: RequestSource, id: string) {
    await first.catch(() => undefined)
    return this.request(contract, source, id)
  }

  /** Goes on with a request that was left open. Resolves once it is over, or is moved by somebody else. */
  async resume(contract: Named, id: string): Promise<void> {
    if (!this.#running.has(id)) await this.#follow(contract, id)
  }

  async stateOf({ chain, entity }: Named): Promise<ContractState> {
    const { store } = this.#options
    const [decisions, chainDecisions] = await Promise.all([
      store.readStream(contractStream(chain, entity)),
      store.readStream(chainStream(chain)),
    ])
    return stateOf(decisions, chainDecisions.at(-1)?.position ?? 0)
  }

  #run(contract: Named, id: string, apiKey?: string): Promise<RequestOutcome> {
    const known = this.#running.get(id)
    if (known !== undefined) return known
    const running = this.#advance(contract, id, apiKey).finally(() => this.#running.delete(id))
    // Who waits for it is told; where nobody does, it is the next one who goes on.
    running.catch((error: unknown) => {
      const { signal, logger } = this.#options
      if (!signal.aborted) logger.warn({ err: error, request: id, ...contractName(contract) }, 'verification stopped')
    })
    this.#running.set(id, running)
    return running
  }

  /** Waits for a request of another process, and takes it over where it does not move. */
  async #follow(contract: Named, id: string): Promise<RequestOutcome> {
    const { clock, takeOverMs, signal } = this.#options
    for (;;) {
      const { open, outcomes } = await this.stateOf(contract)
      const outcome = outcomes.get(id)
      if (outcome !== undefined) return outcome
      if (open?.id !== id || clock.now() - open.movedAt >= takeOverMs) return this.#run(contract, id)
      await rest(pollMs, signal)
      signal.throwIfAborted()
    }
  }

  /** Step by step to the end. */
  async #advance(contract: Named, id: string, apiKey?: string): Promise<RequestOutcome> {
    return this.#retrying(async () => {
      for (;;) {
        const state = await this.stateOf(contract)
        const outcome = state.outcomes.get(id)
        if (outcome !== undefined) return outcome
        if (state.open?.id !== id) throw new Error(`The request ${id} is on no stream of ${contract.entity}`)
        await this.#step(contract, state, apiKey)
      }
    })
  }

  async #step(contract: Named, state: ContractState, apiKey?: string): Promise<void> {
    const { codes, signal } = this.#options
    const open = state.open!
    const options = { apiKey, at: () => this.#now(), signal }
    signal.throwIfAborted()
    if (open.input === null) {
      const event = await fetchSources(this.#options, contract, open, options)
      return this.#append(contract, state, decideStep(state, open.id, [event]))
    }
    const found = await codes.find(contract.chain, { kind: 'entity', id: contract.entity }).catch(asProblem)
    if (found instanceof VerificationProblem) {
      const { chain, entity } = contract
      const data = { chain, entity, request_id: open.id, at: this.#now(), ...failureOf(found) }
      return this.#append(contract, state, [{ type: 'VerificationRejected', data }])
    }
    const result = await compileAndMatch(this.#options, found, { ...open, input: open.input }, options)
    const last = result.found === undefined ? [] : [decideMatch(state, result.found)]
    return this.#append(contract, state, decideStep(state, open.id, [...result.before, ...last]))
  }

  async #append(contract: Named, { revision }: ContractState, events: readonly VerificationEvent[]): Promise<void> {
    if (events.length === 0) return
    const stream = contractStream(contract.chain, contract.entity)
    const decisions = events.map((event, index) => {
      const { request_id } = event.data as VerificationEventData<'VerificationRequested'>
      return this.#decision(stream, event, request_id, index)
    })
    await this.#options.store.append(stream, revision, decisions)
  }

  #decision(stream: string, { type, data }: VerificationEvent, requestId: string, index: number): NewDecision {
    const recorded_at = this.#now()
    const metadata = { ...actor, command_id: requestId, command_digest: digestOf({ requestId, stream }), recorded_at }
    return { id: eventIdFor(requestId, stream, type, index), type, data, metadata }
  }

  #assertRoom(): void {
    const { atOnceMax } = this.#options
    if (this.running < atOnceMax) return
    const message = `${atOnceMax} verifications run already, try again in a few seconds`
    throw new VerificationProblem('overloaded', message, { retryAfterSeconds: 5 })
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString()
  }

  /** Somebody else was faster: it is decided again on what there is now. */
  async #retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!isLedgerError(error, 'revision_conflict') || attempt >= attemptsMax) throw error
      }
    }
  }
}

function asProblem(error: unknown): VerificationProblem {
  if (isVerificationProblem(error)) return error
  throw error
}

function contractName({ chain, entity }: Named) {
  return { chain, contract: entity }
}
