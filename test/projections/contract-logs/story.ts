import { decodeEventLog, getAddress, type Hex, parseAbi } from 'viem'
import { unpackDigits } from '#projections/contract-logs/packing/digits.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { wordDigitsOf } from '#src/domain/hex-digits.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { Row } from '#src/ports/read-store.ts'
import { block, transaction } from '#test/projections/entities/story.ts'
import type { Sketch } from '#test/support/whole-event.ts'

export { accountCreated, block } from '#test/projections/entities/story.ts'

export const token = 2_001n
export const nft = 2_002n
export const contract = 3_001n

type Movement = readonly [account: bigint, amount: bigint]

/** A native transaction, as a stream tells of it: with a record. */
export function native(
  time: bigint,
  { type = 14, ...facts }: Sketch<TransactionRecorded> = {},
  at: { readonly index?: number } = {},
): LogRecord {
  const hash = { transactionHash: hashOf(time), transactionIndex: at.index ?? null }
  return transaction(time, type, null, { payerAccountId: 1_009n, record: {}, ...hash, ...facts })
}

/** 48 bytes that begin with the time. */
export function hashOf(time: bigint): Buffer {
  const hash = Buffer.alloc(48, 7)
  hash.writeBigInt64BE(time)
  return hash
}

export const tokens = (tokenId: bigint, ...movements: readonly Movement[]) =>
  movements.map(([accountId, amount]) => ({ tokenId, accountId, amount }))

export const moved = (tokenId: bigint, sender: bigint | null, receiver: bigint | null, serialNumber: bigint) => ({
  tokenId,
  senderAccountId: sender,
  receiverAccountId: receiver,
  serialNumber,
})

/** A call of a contract, and what its result says. */
export const called = (
  time: bigint,
  contractNum: bigint,
  { logs = [], ...facts }: Sketch<TransactionRecorded> & { readonly logs?: readonly LogSketch[] } = {},
): LogRecord => {
  const contractID = { contractNum }
  const record = {
    receipt: { contractID },
    contractCallResult: { contractID, gasUsed: 21_000n, logInfo: logs },
  }
  return transaction(time, 7, contractNum, {
    payerAccountId: 1_009n,
    transactionHash: hashOf(time),
    record,
    ...facts,
  })
}

type LogSketch = Sketch<
  NonNullable<NonNullable<TransactionRecorded['record']>['contractCallResult']>['logInfo'][number]
>

export const closed = (end: bigint, minor = 73): LogRecord => block(end, minor)

/** How wallets and indexers read the logs of tokens. */
export const fungibleAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
])
export const nftAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
])

const word = (digits: string): Hex => `0x${wordDigitsOf(digits)}`

/** What a row of the logs has as hex digits. */
export const digitsOf = (row: Row) => unpackDigits(row['digits'] as string)

/** A row of the logs as an ABI library decodes it. */
export function decoded(abi: typeof fungibleAbi | typeof nftAbi, row: Row) {
  const { topics: own, data } = digitsOf(row)
  const topics = own.filter((topic) => topic !== null).map(word)
  const { eventName, args } = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data: word(data) })
  return { eventName, ...(args as object) }
}

/** The address that an account's number stands for. */
export const address = (number: bigint): Hex => getAddress(`0x${number.toString(16).padStart(40, '0')}`)

export const nobody = address(0n)
