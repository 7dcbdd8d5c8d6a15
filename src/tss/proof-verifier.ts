import { hash } from 'node:crypto'
import { LedgerError } from '#src/domain/errors.ts'
import { SizedCache } from '#src/domain/sized-cache.ts'
import { Bindings } from '#src/tss/binding/bindings.ts'
import { type ProofForm, splitBlockSignature } from '#src/tss/block-signature.ts'
import type { Generation } from '#src/tss/generations.ts'
import { allHold, brokenEquations, type Signed } from '#src/tss/hints/check.ts'
import { type HintsKey, readHintsKey } from '#src/tss/hints/key.ts'
import { readAggregateSignature } from '#src/tss/hints/signature.ts'
import { type Signers, SignersBook } from '#src/tss/hints/signers.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import type { Pairings } from '#src/tss/pairings/pairings.ts'
import { type ProofFail, proofFailOf } from '#src/tss/proof-failure.ts'

/** A signature of the network to be checked. */
export interface ProofJob {
  /** What errors call the block. */
  readonly name: string
  /** The hash that has to be signed: the block's, or the root that a state proof leads to. */
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

export interface Verdict {
  readonly form: ProofForm
  /** Release of the network's library whose rules the signature follows. */
  readonly generation: Generation
}

export interface ProofVerifier {
  /** Library that pairs points. */
  readonly pairings: string
  /** Throws `proof_invalid`, with the check that failed and why. */
  verify(ledger: Ledger, job: ProofJob): Verdict
  /** A verdict or its error for each, in their order. Signatures of one key are checked together, which costs less than each alone. */
  verifyAll(ledger: Ledger, jobs: readonly ProofJob[]): (Verdict | LedgerError)[]
}

const keysMax = 16

/** Verifies on the thread it is called on; what it found out about keys and groups of signers it remembers. */
export function createProofVerifier({ pairings }: { readonly pairings: Pairings }): ProofVerifier {
  const verifier = new Verifier(pairings)
  return {
    pairings: pairings.name,
    verify: (ledger, job) => {
      const [outcome] = verifier.verifyAll(ledger, [job])
      if (outcome === undefined || outcome instanceof LedgerError) throw outcome
      return outcome
    },
    verifyAll: (ledger, jobs) => verifier.verifyAll(ledger, jobs),
  }
}

/** A signature of which nothing is left to check but its pairings. */
interface Prepared extends Signed {
  readonly at: number
  readonly key: HintsKey
  readonly signers: Signers
  readonly verdict: Verdict
  readonly fail: ProofFail
}

class Verifier {
  readonly #pairings: Pairings
  readonly #bindings = new Bindings()
  readonly #keys = new SizedCache<string, HintsKey>(keysMax)
  readonly #signers: SignersBook

  constructor(pairings: Pairings) {
    this.#pairings = pairings
    this.#signers = new SignersBook(pairings)
  }

  verifyAll(ledger: Ledger, jobs: readonly ProofJob[]): (Verdict | LedgerError)[] {
    const batch = new Map<string, Signers>()
    const outcomes: (Verdict | LedgerError)[] = []
    const prepared: Prepared[] = []
    for (const [at, job] of jobs.entries()) {
      const one = attempt(() => this.#prepare(ledger, job, at, batch))
      outcomes.push(one instanceof LedgerError ? one : one.verdict)
      if (!(one instanceof LedgerError)) prepared.push(one)
    }
    for (const group of Map.groupBy(prepared, ({ key }) => key).values()) {
      for (const { at, error } of this.#failures(group)) outcomes[at] = error
    }
    return outcomes
  }

  /** Checks all signatures of one key together, and each alone where that fails. */
  #failures(group: readonly Prepared[]): { at: number; error: LedgerError }[] {
    const [first] = group
    if (!first) return []
    if (allHold(first.key, group, this.#pairings)) {
      for (const { signers } of group) if (signers.statement) this.#signers.remember(signers)
      return []
    }
    if (group.length > 1) return group.flatMap((one) => this.#failures([one]))
    return [{ at: first.at, error: this.#errorOf(first) }]
  }

  #errorOf(prepared: Prepared): LedgerError {
    const { key, fail } = prepared
    const broken = brokenEquations(key, prepared, this.#pairings)
    return broken.some((name) => name !== 'bls')
      ? fail('aggregate', `what its signature says of its signers does not hold (${broken.join(', ')})`, broken)
      : fail('signature', 'its signature is not of this hash by those who signed', broken)
  }

  #prepare(ledger: Ledger, { name, message, signature }: ProofJob, at: number, batch: Map<string, Signers>): Prepared {
    const fail = proofFailOf(name)
    const parts = splitBlockSignature(signature, fail)
    const key = this.#keyOf(parts.key, fail)
    const signers = this.#signers.find(key, parts.signature, batch, fail)
    const { generation, aggPk, statement } = signers
    const point = readAggregateSignature(parts.signature, this.#pairings, fail)
    this.#bindings.check(ledger, parts, generation, fail)
    const hashed = this.#pairings.hashToG2(message)
    const verdict = { form: parts.form, generation }
    return { at, key, signers, statement, aggPk, hashed, signature: point, verdict, fail }
  }

  #keyOf(bytes: Uint8Array, fail: ProofFail): HintsKey {
    const name = hash('sha256', bytes, 'base64')
    const known = this.#keys.get(name)
    if (known) return known
    const key = readHintsKey(bytes, this.#pairings, fail)
    this.#keys.keep(name, key)
    return key
  }
}

function attempt<T>(work: () => T): T | LedgerError {
  try {
    return work()
  } catch (error) {
    if (error instanceof LedgerError) return error
    throw error
  }
}
