import type { SizedCache } from '#src/domain/sized-cache.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import type { KnownFact } from '#src/evm/threads/known-facts.ts'
import type { FromCallThread, StateQuestion, ThreadError } from '#src/evm/threads/messages.ts'
import { receivedError } from '#src/evm/threads/thread-errors.ts'

type Waiting = PromiseWithResolvers<unknown>

/** The ledger as a thread sees it that has no store: it asks whoever gave it the call. */
export class AskedState {
  readonly #waiting = new Map<number, Waiting>()
  readonly #post: (message: FromCallThread) => void
  #questions = 0

  constructor(post: (message: FromCallThread) => void) {
    this.#post = post
  }

  /** The state for one call, with what is known of it already: nothing is asked for twice. Code that is known stays so for later ones. */
  open(codes: SizedCache<bigint, Uint8Array>, known: readonly KnownFact[] = []): LedgerState {
    const facts = new Map(known.map(({ about, of, fact }) => [`${about} ${of.join()}`, Promise.resolve(fact)]))
    const ask = <N extends StateQuestion>(about: N, ...of: readonly unknown[]) => {
      const key = `${about} ${of.join()}`
      const asked = facts.get(key) ?? this.#ask(about, of)
      facts.set(key, asked)
      return asked as ReturnType<LedgerState[N]>
    }
    return {
      block: () => ask('block'),
      prices: () => ask('prices'),
      entity: (id) => ask('entity', id),
      entityAt: (address) => ask('entityAt', address),
      code: async (contract) => codes.get(contract) ?? codes.keep(contract, await ask('code', contract)),
      slot: (contract, slot) => ask('slot', contract, slot),
      blockHash: (number) => ask('blockHash', number),
      lastEntity: () => ask('lastEntity'),
      token: (id) => ask('token', id),
      relation: (token, account) => ask('relation', token, account),
      nft: (token, serial) => ask('nft', token, serial),
      lastSerial: (token) => ask('lastSerial', token),
      allowance: (owner, spender, token) => ask('allowance', owner, spender, token),
      approvedForAll: (owner, spender, token) => ask('approvedForAll', owner, spender, token),
      airdrop: (sender, receiver, token, serial) => ask('airdrop', sender, receiver, token, serial),
      associations: (account) => ask('associations', account),
      schedule: (id) => ask('schedule', id),
      scheduledAt: (second) => ask('scheduledAt', second),
    }
  }

  tell(question: number, fact: unknown): void {
    this.#take(question)?.resolve(fact)
  }

  refuse(question: number, error: ThreadError): void {
    this.#take(question)?.reject(receivedError(error))
  }

  #ask(about: StateQuestion, of: readonly unknown[]): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>()
    this.#questions += 1
    this.#waiting.set(this.#questions, waiting)
    this.#post({ kind: 'ask', question: this.#questions, about, of })
    return waiting.promise
  }

  #take(question: number): Waiting | undefined {
    const waiting = this.#waiting.get(question)
    this.#waiting.delete(question)
    return waiting
  }
}
