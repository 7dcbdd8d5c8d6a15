import type { HashRule } from '#src/domain/block-hash.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import type { ProofJob, Verdict } from '#src/tss/proof-verifier.ts'
import { rootOfStateProof } from '#src/tss/state-proof.ts'

/** Checks signatures of the network; rejects with `proof_invalid`, or with `interrupted` when the signal says that nobody waits for it. */
export interface ProofChecker {
  check(request: ProofJob & { readonly ledger: Ledger; readonly signal?: AbortSignal | undefined }): Promise<Verdict>
}

export interface ProofOptions {
  readonly ledger: Ledger
  readonly checker: ProofChecker
  /** Tried first. */
  readonly rule: HashRule
  readonly signal?: AbortSignal | undefined
}

/** A block whose hash the network has signed. */
export interface Proof {
  /** The rule under which the signed hash is that of the block. */
  readonly rule: HashRule
  readonly hash: Buffer
  /** What proved it, as its event says. */
  readonly kind: string
  readonly generation: number
}

/**
 * Proves a block by the network's signature over its hash, or by the way from it to a later block that is signed. Nothing says under
 * which rule the hash was made: the rule that the last block had is tried first, then the other one. Rejects with `proof_invalid`.
 */
export async function proveBlock(block: Block, options: ProofOptions): Promise<Proof> {
  const [proof] = block.proofs
  const what = blockText(block)
  if (!proof) throw malformedBlock(what, 'it has no proof')
  if (proof.block !== block.header.number) throw wrongProof(what, `its proof is that of block ${proof.block}`)
  if (proof.kind === 'record-file') throw wrongProof(what, 'its proof is that of a record file, which it does not wrap')
  return proof.kind === 'state'
    ? proveByState(block, proof.message, options)
    : proveBySignature(block, proof.message, options)
}

async function proveBySignature(
  block: Block,
  message: Buffer,
  { ledger, checker, rule, signal }: ProofOptions,
): Promise<Proof> {
  const name = blockText(block)
  const signature = fieldValue(message, 1, (reason) => malformedBlock(name, reason)) ?? Buffer.alloc(0)
  const check = async (tried: HashRule): Promise<Proof> => {
    const hash = block.hashes[tried]
    const { form, generation } = await checker.check({ ledger, name, message: hash, signature, signal })
    return { rule: tried, hash, kind: `SIGNATURE_${form.toUpperCase()}`, generation }
  }
  try {
    return await check(rule)
  } catch (error) {
    if (!isLedgerError(error, 'proof_invalid') || error.details.check === 'form') throw error
    // What is said is that of the first rule: the other one is no better.
    return await check(rule === 'eight' ? 'sixteen' : 'eight').catch(() => {
      throw error
    })
  }
}

async function proveByState(block: Block, message: Buffer, { ledger, checker, signal }: ProofOptions): Promise<Proof> {
  const name = blockText(block)
  const { hashes } = block
  const { root, ownHash, signature } = rootOfStateProof(message, [hashes.sixteen, hashes.eight], name)
  const { form, generation } = await checker.check({ ledger, name, message: root, signature, signal })
  const rule: HashRule = hashes.eight.equals(ownHash) ? 'eight' : 'sixteen'
  return { rule, hash: hashes[rule], kind: `STATE_PROOF_${form.toUpperCase()}`, generation }
}

function wrongProof(what: string, reason: string): LedgerError {
  return new LedgerError(
    'proof_invalid',
    `${what}: ${reason}. Another source is asked; if every one has it like this, the network has to correct it`,
    { file: what, reason },
  )
}
