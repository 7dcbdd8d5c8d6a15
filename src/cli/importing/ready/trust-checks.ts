import { findAddressBook, givenAddressBook } from '#src/cli/address-book.ts'
import { findLedgerPublication } from '#src/cli/importing/ledger-publication.ts'
import { type Check, failedOf, fails, ok } from '#src/cli/importing/ready/check.ts'
import { hasMoved, nextNumber, type ReadyContext } from '#src/cli/importing/ready/ready-context.ts'
import { readAddressBook } from '#src/domain/address-book.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { readWrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { LedgerTrust } from '#src/importer/block-stream/ledger-trust.ts'
import { inspectProofs } from '#src/importer/inspect/block-proofs.ts'
import { type GivenTrust, trustOfBook } from '#src/importer/inspect/given-trust.ts'
import { ImportState } from '#src/importer/state/import-state.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier } from '#src/tss/proof-verifier.ts'

const anchorName = 'trust anchor'
const bookName = 'address book'

/** Whether it is known whose signature proves blocks, and whether all who say so agree. */
export function checkAnchor(context: ReadyContext): Check {
  const { network } = context
  try {
    const configured = findLedgerPublication(context)
    const state = stateOf(context)
    const ledger = new LedgerTrust(network, configured).find(state)
    const isOnLog = state.document('ledger') !== undefined
    if (ledger) return ok(anchorName, `ledger ${idOf(ledger)}, as ${placesText(isOnLog, configured !== undefined)}`)
    if (nextNumber(context) === 0n && context.stream === 'blocks')
      return ok(anchorName, 'block 0, which comes next, brings it')
    return fails(
      anchorName,
      `nothing says who signs for the network "${network}": no setting, not the log, nor what this version knows of it`,
      'name a file with the serialized ledger id publication with --ledger-publication; it may also still come with the record files',
    )
  } catch (error) {
    return failedOf(anchorName, error)
  }
}

function placesText(isOnLog: boolean, isGiven: boolean): string {
  if (isOnLog && isGiven) return 'the log and the settings agree'
  return isOnLog ? 'the log says' : 'the settings say, or what this version knows of the network'
}

function idOf({ id }: Ledger): string {
  return Buffer.from(id).toString('hex')
}

/** Whether blocks that were read hold by that anchor, or by the address book where they wrap record files. */
export async function checkProofs(context: ReadyContext): Promise<Check[]> {
  const checks: Check[] = []
  const blocks: Block[] = []
  for (const source of context.found.blocks) {
    try {
      blocks.push(readBlock(source))
    } catch (error) {
      checks.push(failedOf(`block ${source.number}`, error))
    }
  }
  try {
    const trust = await trustIn(blocks, context)
    for (const block of blocks) checks.push(await proved(block, trust))
  } catch (error) {
    checks.push(failedOf('proofs', error))
  }
  return checks
}

/** Block 0 says for itself, and for those behind it, who signs, where nobody else does. */
async function trustIn(blocks: readonly Block[], context: ReadyContext): Promise<GivenTrust> {
  const state = stateOf(context)
  const ledgers = new LedgerTrust(context.network, findLedgerPublication(context))
  const first = blocks.find(({ header, recordFile }) => header.number === 0n && !recordFile)
  const book = state.document('book/102')?.contents ?? bookBeside(context)
  const verifier = createProofVerifier({ pairings: await openPairings('fast') })
  return {
    ledger: first
      ? ledgers.ofBlock(first, state, (reason) => malformedBlock(blockText(first), reason))
      : ledgers.find(state),
    nodes: book && trustOfBook(book, context.config.import.consensusRatio),
    checker: { check: async ({ ledger, ...job }) => verifier.verify(ledger, job) },
  }
}

async function proved(block: Block, trust: GivenTrust): Promise<Check> {
  const name = `block ${block.header.number}`
  const wrapped = block.recordFile && readWrappedFile(block)
  const [proof] = await inspectProofs(block, wrapped, trust)
  if (proof === undefined) return fails(name, `of ${block.origin}: it has no proof`, 'take another source')
  const what = `of ${block.origin}, ${wrapped ? `which wraps ${wrapped.file.name}` : `a ${proof.kind} proof`}`
  if (proof.verdict === 'holds') return ok(name, `${what}: it holds`)
  const step = proof.verdict === 'unchecked' ? null : 'take another source, or check the trust anchor'
  return fails(name, `${what}: ${proof.reason}`, step)
}

/** As of the end of the log; of an empty one where there is none. */
function stateOf({ facts }: ReadyContext): ImportState {
  return facts?.state ?? new ImportState({ shard: 0n, realm: 0n })
}

/** Whether it is known who signs record files, which may come until the network moves. */
export function checkAddressBook(context: ReadyContext): Check {
  try {
    const stored = stateOf(context).document('book/102')?.contents
    const book = stored ?? bookBeside(context)
    if (book)
      return ok(bookName, `of ${readAddressBook(book).nodes.length} nodes, ${stored ? 'on the log' : 'as given'}`)
    if (hasMoved(context) || context.stream === 'blocks') return ok(bookName, 'not needed: no record file is to come')
    return fails(
      bookName,
      `nothing says who signs the record files of the network "${context.network}"`,
      'name the contents of file 0.0.102 with --address-book',
    )
  } catch (error) {
    return failedOf(bookName, error)
  }
}

function bookBeside({ config, folder }: ReadyContext): Uint8Array | undefined {
  const { location } = config.source
  if (location.startsWith('s3://') || location === 'none') return givenAddressBook(config)
  return findAddressBook({ config, folder })
}
