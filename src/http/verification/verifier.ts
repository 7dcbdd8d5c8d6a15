import type { FoundContract } from '#commands/verification/contract-codes.ts'
import type { VerifiedContract } from '#commands/verification/events.ts'
import type { FailedRequest, RequestOutcome } from '#commands/verification/state.ts'
import { problemFrom } from '#commands/verification/steps.ts'
import type { RequestSource, VerificationService } from '#commands/verification/verification-service.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import { VerificationProblem, type VerificationProblemCode } from '#src/domain/verification/problem.ts'
import { assertChain, readAddress } from '#src/http/verification/addressed.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import { rest } from '#src/ports/clock.ts'
import type { SourceExplorers } from '#src/ports/source-explorer.ts'
import type { Outcome } from '#src/verification/outcome.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'

export interface VerifierOptions {
  readonly service: Pick<VerificationService, 'request' | 'stateOf' | 'tryOut'>
  readonly explorers: Pick<SourceExplorers, 'has'>
  readonly reads: ServedReads
  /** The chain of the network that is followed. */
  readonly chainId: string
  readonly waitMs: number
}

/** Who is asked about, as the caller wrote it. */
export interface Asked {
  readonly chain: string
  readonly address: string
}

/** What a caller is told of a request that has come to its end. */
export interface Verdict {
  readonly contract: FoundContract
  /** With its checksum: the one that was asked for, or the EVM address of an entity's id. */
  readonly address: string
  readonly outcome: RequestOutcome
}

/** The same of a verification that was only tried. */
export interface Trial extends Omit<Verdict, 'outcome'> {
  readonly outcome: Outcome
}

/** How long an answer waits for the read models to show what it says, so that the next question finds it. */
const shownMs = 2_000

/** Outcomes that are answers: the code on the ledger is another one, or there is none. */
const mismatches: ReadonlySet<VerificationProblemCode> = new Set([
  'no_match',
  'bytecode_length_mismatch',
  'extra_file_input_bug',
  'contract_not_deployed',
])

function isMismatch({ code }: FailedRequest): boolean {
  return mismatches.has(code)
}

/** What the endpoints that verify have in common. */
export class Verifier {
  readonly #options: VerifierOptions

  constructor(options: VerifierOptions) {
    this.#options = options
  }

  /** Finds the contract that is asked about. Throws a problem where it cannot be verified here. */
  async locate({ chain, address }: Asked): Promise<{ readonly contract: FoundContract; readonly address: string }> {
    assertChain(chain, this.#options.chainId)
    const reference = readAddress(address)
    const contract = await this.#options.reads.find(chain, reference)
    return { contract, address: checksumAddress(reference.kind === 'address' ? reference.digits : contract.address) }
  }

  /** From published sources. A perfect match that is stored is told at once. Throws the problem that kept it from a verdict. */
  async fromExplorer(asked: Asked, apiKey: string | undefined): Promise<Verdict> {
    assertChain(asked.chain, this.#options.chainId)
    readAddress(asked.address)
    this.assertExplorer(asked.chain)
    const located = await this.locate(asked)
    const { verified } = await this.#options.service.stateOf(located.contract)
    if (verified?.match === 'perfect') return { ...located, outcome: { position: 0, at: verified.at, verified } }
    return this.#verdict(located, { kind: 'explorer', apiKey })
  }

  assertExplorer(chain: string): void {
    if (this.#options.explorers.has(chain)) return
    const message = `Requested chain ${chain} is not supported for importing from an explorer`
    throw new VerificationProblem('explorer_not_configured', message)
  }

  async fromCaller(asked: Asked, source: Extract<RequestSource, { readonly kind: 'caller' }>): Promise<Verdict> {
    return this.#verdict(await this.locate(asked), source)
  }

  /** What would come of it, of which nothing is kept. It is ended where it takes longer than a request waits. */
  async tryOut(asked: Asked, input: VerificationInput): Promise<Trial> {
    const located = await this.locate(asked)
    const { service, waitMs } = this.#options
    const tooLate = AbortSignal.timeout(waitMs)
    try {
      return { ...located, outcome: await service.tryOut(located.contract, input, tooLate) }
    } catch (error) {
      if (!tooLate.aborted) throw error
      const message = `It takes longer than ${waitMs} ms, which is as long as a trial may; verify it without dryrun`
      throw new VerificationProblem('compilation_limit', message)
    }
  }

  async #verdict(located: Omit<Verdict, 'outcome'>, source: RequestSource): Promise<Verdict> {
    const { service, reads, waitMs } = this.#options
    const { id, outcome } = await service.request(located.contract, source)
    const timer = new AbortController()
    const over = rest(waitMs, timer.signal).then(() => undefined)
    const ended = await Promise.race([outcome, over]).finally(() => timer.abort())
    if (ended === undefined) throw stillRunning(id)
    await reads.shows(ended.position, shownMs)
    if (ended.failed !== undefined && !isMismatch(ended.failed)) throw problemFrom(ended.failed)
    return { ...located, outcome: ended }
  }
}

function stillRunning(id: string): VerificationProblem {
  const message = `The verification goes on; ask for it with the id ${id}`
  return new VerificationProblem('still_running', message, { verificationId: id, retryAfterSeconds: 5 })
}

/** Address by placeholder, as established clients know it. */
export function libraryMapOf({ libraries }: Pick<VerifiedContract, 'libraries'>): Record<string, string> {
  return Object.fromEntries(libraries.map(({ placeholder, address }) => [placeholder, address]))
}
