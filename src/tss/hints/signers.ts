import { createHash } from 'node:crypto'
import { SizedCache } from '#src/domain/sized-cache.ts'
import { type Generation, generations } from '#src/tss/generations.ts'
import { isMajority } from '#src/tss/hints/check.ts'
import { type Statement, statementOf } from '#src/tss/hints/equations.ts'
import { brokenIdentities, type Identity } from '#src/tss/hints/identities.ts'
import type { HintsKey } from '#src/tss/hints/key.ts'
import { aggregateBytes, readAggregate } from '#src/tss/hints/signature.ts'
import type { G1Point, Pairings } from '#src/tss/pairings/pairings.ts'
import type { ProofFail } from '#src/tss/proof-failure.ts'

/** Who signed, found to be what they say. The same ones sign many blocks, and all that differs then is one point. */
export interface Signers {
  readonly generation: Generation
  readonly aggPk: G1Point
  /** What has to hold for it; undefined where that is known. */
  readonly statement: Statement | undefined
  readonly digest: string
}

const rememberedMax = 2_000

/** Remembers groups of signers. */
export class SignersBook {
  readonly #pairings: Pairings
  readonly #known = new SizedCache<string, Signers>(rememberedMax)

  constructor(pairings: Pairings) {
    this.#pairings = pairings
  }

  /** Those of a signature. Equal ones in `batch` are the same object, so that what they state is checked once. */
  find(key: HintsKey, signature: Uint8Array, batch: Map<string, Signers>, fail: ProofFail): Signers {
    const digest = createHash('sha256').update(key.digest).update(aggregateBytes(signature)).digest('base64')
    const signers =
      batch.get(digest) ?? this.#known.get(digest) ?? readSigners(key, signature, digest, this.#pairings, fail)
    batch.set(digest, signers)
    return signers
  }

  /** After the pairings of their statement held. */
  remember(signers: Signers): void {
    this.#known.keep(signers.digest, { ...signers, statement: undefined })
  }
}

/** Finds the generation by the identities between values, which hold in none but their own. */
function readSigners(
  key: HintsKey,
  signature: Uint8Array,
  digest: string,
  pairings: Pairings,
  fail: ProofFail,
): Signers {
  const aggregate = readAggregate(signature, pairings, fail)
  const { weight } = aggregate.values
  if (!isMajority(key, aggregate)) {
    throw fail('weight', `it is signed by weight ${weight} of ${key.totalWeight}, and more than half is needed`, [
      'threshold',
    ])
  }
  let broken: readonly Identity[] = []
  for (const generation of generations) {
    const statement = statementOf(key, signature, aggregate, generation, pairings)
    const now = brokenIdentities(key, aggregate, statement.point)
    if (now.length === 0) return { generation, aggPk: aggregate.points.aggPk, statement, digest }
    if (generation === generations[0]) broken = now
  }
  const releases = `in no known release of the network's library (${broken.join(', ')} in the first)`
  throw fail('aggregate', `what its signature says of its signers holds ${releases}`, broken)
}
