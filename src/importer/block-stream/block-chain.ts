import { type HashRule, hashRules } from '#src/domain/block-hash.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { emptyTree } from '#src/domain/merkle-tree.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { readWrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { isFileProblem } from '#src/importer/file-problems.ts'
import { zeroHash } from '#src/importer/record/hash.ts'
import { blockStreamVersion, type LastBlock } from '#src/importer/state/last-block.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

/** What is wrong with a block's place in the chain. */
function chainBroken(block: Pick<Block, 'header' | 'origin'>, reason: string): LedgerError {
  return new LedgerError(
    'chain_broken',
    `${blockText(block)}: ${reason}. Another source is asked; if every one has it like this, the log and the sources are not of the same network`,
    { file: blockText(block), reason },
  )
}

/** Throws `chain_broken` where a block is not the one that was asked for. */
export function assertAsked({ header, origin }: Block, number: bigint): void {
  if (header.number !== number) throw chainBroken({ header, origin }, `it was asked for as block ${number}`)
}

/** Throws `chain_broken` where a block does not name the last block of the log, or the very first one any at all. */
export function assertContinues(block: Block, last: LastBlock | undefined): void {
  const { header, footer } = block
  if (last && !footer.previousRoot.equals(last.hash)) throw otherRoot(block, last.hash)
  if (header.number === 0n && !footer.previousRoot.equals(emptyTree))
    throw chainBroken(block, `it is the first block and names one before it, ${footer.previousRoot.toString('hex')}`)
}

/** Throws `chain_broken` where a wrapped record file does not continue the last one of the log, behind which no block came yet that wraps none. */
export function assertContinuesFile(block: Block, previousHash: Buffer, last: LastBlock | undefined): void {
  if (last && last.version >= blockStreamVersion)
    throw chainBroken(block, 'it wraps a record file, but the block before it does not')
  if (last === undefined || last.hash.equals(zeroHash) || previousHash.equals(last.hash)) return
  const [found, has] = [previousHash, last.hash].map((hash) => hash.toString('hex'))
  throw chainBroken(block, `the record file that it wraps continues the hash ${found}, but the one before has ${has}`)
}

/** Of a block without transactions the log has the time in its header, which comes a little after the first consensus time. */
const headerLead = 1_000_000n

/** Throws `chain_broken` where the first transaction (ns) is not after the last one of the log. */
export function assertLater(block: Block, consensusStart: bigint, last: LastBlock | undefined): void {
  if (last === undefined || consensusStart > last.time - headerLead) return
  throw chainBroken(block, `it begins at ${consensusStart} ns, not after the end of the last block, ${last.time} ns`)
}

function otherRoot(block: Block, hash: Buffer): LedgerError {
  return chainBroken(
    block,
    `it continues the hash ${block.footer.previousRoot.toString('hex')}, but the block before has ${hash.toString('hex')}`,
  )
}

type FetchBlock = (number: bigint) => Promise<SourceBlock | undefined>

/**
 * How the first real block is tied to the record files before it: its footer names the hash of the block that wraps the last of them. The
 * log may know that hash; otherwise whoever has the wrapped block is asked for it.
 */
export async function linkAcrossCut(
  block: Block,
  last: LastBlock,
  fetch: FetchBlock,
): Promise<'known' | 'fetched' | 'unknown'> {
  if (last.root?.equals(block.footer.previousRoot)) return 'known'
  if (await ruleOfRoot(block, last, fetch)) return 'fetched'
  if (last.root === undefined) return 'unknown'
  throw otherRoot(block, last.root)
}

/**
 * Under which rule a block that wraps a record file names the one before it. Nothing but that tells the rule of blocks that no ledger has signed, so
 * where the log has another hash, the block before is looked at again. It may name none at all, as where history was wrapped piece by piece.
 * Undefined where it names another one: nobody has signed that, and what ties record files together is their own chain.
 */
export async function ruleOfWrapped(
  block: Block,
  last: LastBlock | undefined,
  fetch: FetchBlock,
  rule: HashRule,
): Promise<HashRule | undefined> {
  const { previousRoot } = block.footer
  if (!last?.root || last.root.equals(previousRoot) || previousRoot.equals(emptyTree)) return rule
  return ruleOfRoot(block, last, fetch).catch((error: unknown) => {
    if (isFileProblem(error)) return undefined
    throw error
  })
}

/** Under which rule the root that a block names is that of the block that wraps the last file; undefined where nobody has that. */
async function ruleOfRoot(block: Block, last: LastBlock, fetch: FetchBlock): Promise<HashRule | undefined> {
  const wrapping = await fetch(last.number)
  if (!wrapping) return undefined
  const before = readBlock(wrapping)
  const wrapped = readWrappedFile(before)
  if (!wrapped?.file.chainHash.equals(last.hash))
    throw chainBroken(
      block,
      `the block ${last.number} of ${wrapping.origin} does not hold ${last.name}, with which the log ends`,
    )
  const rule = hashRules.find((one) => before.hashes[one].equals(block.footer.previousRoot))
  if (rule) return rule
  throw otherRoot(block, before.hashes.sixteen)
}
