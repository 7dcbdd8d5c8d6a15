import { createHash } from 'node:crypto'
import { SizedCache } from '#src/domain/sized-cache.ts'
import { keyHash } from '#src/tss/binding/key-hash.ts'
import { checkSchnorr } from '#src/tss/binding/schnorr.ts'
import { brokenWrapsConditions } from '#src/tss/binding/wraps.ts'
import { readWrapsKey, type WrapsKey } from '#src/tss/binding/wraps-key.ts'
import { readWrapsProof } from '#src/tss/binding/wraps-proof.ts'
import type { BlockSignature } from '#src/tss/block-signature.ts'
import type { Generation } from '#src/tss/generations.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import type { ProofFail } from '#src/tss/proof-failure.ts'

const boundMax = 64
const wrapsKeysMax = 4

/** Ties keys to ledgers. A key changes when the nodes do, so what was found is remembered: it takes 15 to 200 ms. */
export class Bindings {
  readonly #bound = new SizedCache<string, true>(boundMax)
  readonly #wrapsKeys = new SizedCache<string, WrapsKey>(wrapsKeysMax)

  /** Throws what `fail` makes of it when the key is not the ledger's, as this generation of the network's library binds it. */
  check(ledger: Ledger, parts: BlockSignature, generation: Generation, fail: ProofFail): void {
    const digest = createHash('sha256').update(ledger.digest).update(parts.key).update(parts.binding)
    const name = digest.update(String(generation)).digest('base64')
    if (this.#bound.get(name)) return
    const hashed = keyHash(parts.key, generation)
    if (parts.form === 'schnorr') checkSchnorr(ledger, hashed, parts.binding, fail)
    else this.#checkWraps(ledger, hashed, parts.binding, fail)
    this.#bound.keep(name, true)
  }

  #checkWraps(ledger: Ledger, hashed: bigint, bytes: Uint8Array, fail: ProofFail): void {
    const proof = readWrapsProof(bytes, (reason) => fail('encoding', reason))
    const key = this.#wrapsKey(ledger, fail)
    const broken = brokenWrapsConditions(key, proof, { ledgerId: ledger.id, keyHash: hashed })
    if (broken.length > 0) {
      const reason = `its history proof does not tie its key to the ledger (${broken.join(', ')})`
      throw fail('binding', reason, broken)
    }
  }

  #wrapsKey(ledger: Ledger, fail: ProofFail): WrapsKey {
    const known = this.#wrapsKeys.get(ledger.digest)
    if (known) return known
    const key = readWrapsKey(ledger.historyKey, (reason) => fail('binding', `the ledger cannot check it, ${reason}`))
    this.#wrapsKeys.keep(ledger.digest, key)
    return key
  }
}
