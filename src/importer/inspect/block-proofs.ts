import type { HashRule } from '#src/domain/block-hash.ts'
import type { Fail } from '#src/domain/field-reader.ts'
import { type Block, type BlockProof, blockText, type ProofKind } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { checkWrappedSignatures } from '#src/importer/block/wrapped/check-signatures.ts'
import type { WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { publicationIn } from '#src/importer/block-stream/ledger-trust.ts'
import { proveBlock } from '#src/importer/block-stream/prove-block.ts'
import { type GivenTrust, withoutBook, withoutLedger } from '#src/importer/inspect/given-trust.ts'
import { failedOf, fails, holds, unchecked, type Verdict } from '#src/importer/inspect/verdict.ts'
import { isSignedBy } from '#src/importer/verify/public-keys.ts'
import type { Trust } from '#src/importer/verify/trust.ts'
import type { Ledger } from '#src/tss/ledger.ts'

export interface NodeSignature extends Verdict {
  readonly nodeId: bigint
}

/** A proof of a block, and what came of trying it. */
export interface ProofFacts extends Verdict {
  readonly kind: ProofKind
  /** What it turned out to be, as events call it: `SIGNATURE_WRAPS`; null unless it holds. */
  readonly form: string | null
  /** Release of the network's library whose rules it follows; null unless it holds. */
  readonly generation: number | null
  /** Under which rule the hash is made that it is about; null unless it holds, and of a record file. */
  readonly hashRule: HashRule | null
  /** Id (hex) of the ledger that it was tried with, and who says so; null where it was not. */
  readonly ledger: { readonly id: string; readonly saidBy: 'given' | 'the block itself' } | null
  /** Of a wrapped record file. */
  readonly signatures: readonly NodeSignature[]
}

/** Tries each proof of a block: the first is the one that decides. */
export async function inspectProofs(
  block: Block,
  wrapped: WrappedFile | undefined,
  trust: GivenTrust,
): Promise<ProofFacts[]> {
  const fail: Fail = (reason) => malformedBlock(blockText(block), reason)
  const ledger = ledgerFor(block, trust, fail)
  const facts: ProofFacts[] = []
  for (const proof of block.proofs) {
    facts.push(
      proof.kind === 'record-file'
        ? recordFileProof(block, wrapped, trust.nodes)
        : await ledgerProof({ ...block, proofs: [proof] }, proof, ledger, trust),
    )
  }
  return facts
}

interface KnownLedger {
  readonly ledger: Ledger
  readonly saidBy: 'given' | 'the block itself'
}

/** Block 0 says by itself whose signature proves it and all that follow. */
function ledgerFor(block: Block, { ledger }: GivenTrust, fail: Fail): KnownLedger | undefined {
  if (ledger) return { ledger, saidBy: 'given' }
  const own = block.header.number === 0n ? publicationIn(block, fail) : undefined
  return own && { ledger: own, saidBy: 'the block itself' }
}

const nothingKnown = { form: null, generation: null, hashRule: null, signatures: [] }

async function ledgerProof(
  block: Block,
  { kind }: BlockProof,
  known: KnownLedger | undefined,
  { checker }: GivenTrust,
): Promise<ProofFacts> {
  if (!known) return { kind, ...nothingKnown, ledger: null, ...unchecked(withoutLedger) }
  const ledger = { id: Buffer.from(known.ledger.id).toString('hex'), saidBy: known.saidBy }
  try {
    const {
      rule: hashRule,
      kind: form,
      generation,
    } = await proveBlock(block, { ledger: known.ledger, checker, rule: 'sixteen' })
    return { kind, form, generation, hashRule, ledger, signatures: [], ...holds }
  } catch (error) {
    return { kind, ...nothingKnown, ledger, ...failedOf(error) }
  }
}

function recordFileProof(block: Block, wrapped: WrappedFile | undefined, nodes: Trust | undefined): ProofFacts {
  const facts = { kind: 'record-file', ...nothingKnown, ledger: null } as const
  if (!wrapped) return { ...facts, ...fails('the block wraps no record file') }
  if (!nodes) return { ...facts, signatures: wrapped.signatures.map(uncheckedOf), ...unchecked(withoutBook) }
  const signatures = wrapped.signatures.map((one) => nodeVerdict(one, wrapped, nodes))
  try {
    checkWrappedSignatures(wrapped, nodes, blockText(block))
    return { ...facts, form: 'RECORD_FILE', signatures, ...holds }
  } catch (error) {
    return { ...facts, signatures, ...failedOf(error) }
  }
}

type Signature = WrappedFile['signatures'][number]

function uncheckedOf({ nodeId }: Signature): NodeSignature {
  return { nodeId, ...unchecked(withoutBook) }
}

function nodeVerdict({ nodeId, signature }: Signature, { file }: WrappedFile, { nodes }: Trust): NodeSignature {
  const node = nodes.find((one) => one.nodeId === nodeId)
  if (!node) return { nodeId, ...fails('the address book does not have the node') }
  if (!node.key) return { nodeId, ...fails('the address book has no usable key of the node') }
  if (!isSignedBy(node.key, file.fileHash, signature))
    return { nodeId, ...fails('it does not fit the key of the node') }
  return { nodeId, ...holds }
}
