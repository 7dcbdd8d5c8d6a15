import { type FoundBlock, findBlockByHash, findBlockByNumber } from '#queries/blocks/find-blocks.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { maxInt64, nanosPerSecond } from '#src/domain/ledger-time.ts'
import type { BlockFacts } from '#src/evm/ledger-state.ts'
import { type EvmRules, rulesAt, rulesOf } from '#src/evm/rules.ts'

/** The block that a call is run at. */
export interface CallBlock extends BlockFacts {
  /** Up to which the ledger is seen, ns. */
  readonly time: bigint
  /** Whether it is the newest: state is as it is now. */
  readonly isNewest: boolean
  /** Of the software that made it. */
  readonly hapiVersion: string | undefined
}

type StatedBlock = BlockFacts & Pick<CallBlock, 'hapiVersion'>

const newestNames: ReadonlySet<string> = new Set(['', 'latest', 'pending', 'safe', 'finalized'])
const hashDigits: ReadonlySet<number> = new Set([64, 96])

/** Throws `invalid_parameter` for what names no block. */
export async function findCallBlock(text: string, context: CallContext): Promise<CallBlock> {
  const name = text.trim().toLowerCase()
  const newest = await findNewest(context)
  if (newestNames.has(name)) {
    if (newest === undefined) throw unknownBlock()
    return { ...newest, time: context.checkpoint.time, isNewest: true }
  }
  const found = await findNamed(name === 'earliest' ? '0' : name, context)
  if (found === undefined) throw unknownBlock()
  const facts = factsOf(found)
  const isNewest = facts.number === newest?.number
  return { ...facts, time: isNewest ? context.checkpoint.time : found.consensusEnd, isNewest }
}

function findNewest(context: CallContext): Promise<StatedBlock | undefined> {
  const { evm, stamp } = context
  return evm === undefined ? readNewest(context) : evm.facts.of(`${stamp} newest`, () => readNewest(context))
}

async function readNewest(context: CallContext): Promise<StatedBlock | undefined> {
  const [row] = await context.rows.blocks.find({
    collection: 'blocks',
    index: ['consensusEnd'],
    upper: { value: context.checkpoint.time, inclusive: true },
    descending: true,
    limit: 1,
    select: ['hash'],
  })
  const found = row && (await findBlockByHash(row.hash, context))
  return found && factsOf(found)
}

async function findNamed(name: string, context: CallContext): Promise<FoundBlock | undefined> {
  const digits = /^0x([0-9a-f]+)$/.exec(name)?.[1]
  if (digits !== undefined && hashDigits.has(digits.length)) return findBlockByHash(digits, context)
  const isNumber = digits === undefined ? /^\d{1,20}$/.test(name) : digits.length <= 16
  if (!isNumber) throw invalidParameters(['Invalid parameter: block'])
  const number = BigInt(name)
  return number > maxInt64 ? undefined : findBlockByNumber(number, context)
}

function unknownBlock() {
  return invalidParameters(['Unknown block number'])
}

export function factsOf({
  number,
  consensusStart,
  hash,
  hapiVersion,
}: Pick<FoundBlock, 'number' | 'consensusStart' | 'hash' | 'hapiVersion'>): StatedBlock {
  const timestamp = consensusStart / nanosPerSecond
  return { number, timestamp, hash: Buffer.from(hash, 'hex'), hapiVersion: hapiVersion ?? undefined }
}

/** Of its version, unless all blocks are to be of another one. */
export function rulesOfBlock({ hapiVersion }: Pick<CallBlock, 'hapiVersion'>, { settings }: CallContext): EvmRules {
  const { evmVersion } = settings.contractCalls
  return (evmVersion === undefined ? undefined : rulesOf(evmVersion)) ?? rulesAt(hapiVersion)
}
