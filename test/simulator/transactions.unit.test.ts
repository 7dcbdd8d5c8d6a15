import { beforeAll, describe, expect, it } from 'vitest'
import { responseCodeNames } from '#src/domain/response-codes.ts'
import { type Message, messageType } from '#src/simulator/codec.ts'
import { createNetwork } from '#src/simulator/network.ts'
import { responseCodes } from '#src/simulator/response-codes.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { decode, type ReadBlock, type ReadItem, readBlock } from '#test/simulator/read-back.ts'

const blockCount = 60
/** The opening balances come from nowhere. */
const genesisMemo = 'Synthetic system creation'

interface Amount {
  readonly accountID?: Message
  readonly amount?: number
}

let blocks: ReadBlock[] = []
let items: ReadItem[] = []

beforeAll(async () => {
  const network = createNetwork({ seed: 'transactions test', accounts: 60, transactionsPerSecond: 25, dayBlocks: 20 })
  blocks = (await nextBlocks(network, blockCount)).map(readBlock)
  items = blocks.flatMap((block) => block.items)
})

const statusOf = ({ record }: ReadItem) => Number((record['receipt'] as Message)['status'])
const nonceOf = ({ record }: ReadItem) => Number((record['transactionID'] as Message)['nonce'] ?? 0)
const idOf = ({ record }: ReadItem) => JSON.stringify(record['transactionID'])
const timeOf = (message: unknown) => {
  const { seconds, nanos } = message as { seconds: number; nanos: number }
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos ?? 0)
}

describe('the transactions of the default mix', () => {
  it('are of every type that the definitions know', () => {
    const fields = messageType('proto.TransactionBody').oneofs['data']?.oneof ?? []
    const seen = new Set(items.map(({ kind }) => kind))
    expect(fields.length).toBeGreaterThanOrEqual(69)
    expect(fields.filter((field) => !seen.has(field))).toEqual([])
  })

  it('succeed at least once in every type but those that the network never supports', () => {
    const succeeded = new Set(items.filter((item) => statusOf(item) === 22).map(({ kind }) => kind))
    const never = [...new Set(items.map(({ kind }) => kind))].filter((kind) => !succeeded.has(kind))
    expect(never.sort()).toEqual(['cryptoAddLiveHash', 'cryptoDeleteLiveHash', 'uncheckedSubmit'])
  })

  it('fail for several reasons, with the numbers that the definitions give them', () => {
    expect(new Set(items.map(statusOf)).size).toBeGreaterThan(8)
    for (const [name, number] of Object.entries(responseCodes)) expect(responseCodeNames[number]).toBe(name)
  })

  it('carry the hash of their signed bytes and ascending consensus times', () => {
    expect(items.filter(({ hashMatches }) => !hashMatches)).toEqual([])
    const times = items.map(({ record }) => timeOf(record['consensusTimestamp']))
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0n))).toBe(true)
  })

  it('move hbar and fungible tokens in sums of zero, except where supply changes', () => {
    for (const { record, kind } of items) {
      const amounts = ((record['transferList'] as Message)['accountAmounts'] ?? []) as Amount[]
      if (record['memo'] !== genesisMemo) expect(sum(amounts)).toBe(0)
      expect(new Set(amounts.map(({ accountID }) => accountID?.['accountNum'])).size).toBe(amounts.length)
      if (['tokenMint', 'tokenBurn', 'tokenWipe', 'tokenCreation', 'tokenDissociate'].includes(kind)) continue
      for (const list of (record['tokenTransferLists'] ?? []) as Message[])
        expect(sum((list['transfers'] ?? []) as Amount[])).toBe(0)
    }
  })

  it('charge a fee that is shared between node, network and the two reward accounts', () => {
    const paid = items.filter(({ record }) => Number(record['transactionFee'] ?? 0) > 1_000)
    expect(paid.length).toBeGreaterThan(500)
    for (const { record } of paid) {
      const accounts = ((record['transferList'] as Message)['accountAmounts'] as Amount[]).map(({ accountID }) =>
        Number(accountID?.['accountNum']),
      )
      expect(accounts.some((num) => num >= 3 && num <= 6)).toBe(true)
      expect(accounts).toContain(98)
      expect(accounts).toContain(801)
    }
  })

  it('include duplicates through other nodes: the same id, later, rejected', () => {
    const duplicates = items.filter((item) => statusOf(item) === responseCodes.DUPLICATE_TRANSACTION)
    expect(duplicates.length).toBeGreaterThan(5)
    for (const duplicate of duplicates) {
      const original = items.find((item) => idOf(item) === idOf(duplicate))
      expect(original).not.toBe(duplicate)
      expect(original?.body['nodeAccountID']).not.toEqual(duplicate.body['nodeAccountID'])
    }
  })

  it('have no id twice except for duplicates', () => {
    const ids = items.filter((item) => statusOf(item) !== responseCodes.DUPLICATE_TRANSACTION).map(idOf)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('have following children with the parent time, and preceding ones without it', () => {
    const times = new Map(items.map((item) => [timeOf(item.record['consensusTimestamp']), item]))
    const following = items.filter((item) => nonceOf(item) > 0 && item.record['parentConsensusTimestamp'])
    const preceding = items.filter((item) => nonceOf(item) > 0 && !item.record['parentConsensusTimestamp'])
    expect(new Set(following.map(({ kind }) => kind))).toEqual(
      new Set([
        'cryptoTransfer',
        'contractCreateInstance',
        'contractCall',
        'hookDispatch',
        'cryptoCreateAccount',
        'cryptoUpdateAccount',
      ]),
    )
    expect(new Set(preceding.map(({ kind }) => kind))).toEqual(new Set(['cryptoCreateAccount', 'cryptoUpdateAccount']))
    for (const child of following) expect(times.get(timeOf(child.record['parentConsensusTimestamp']))).toBeDefined()
  })

  it('include scheduled executions under the id of their creation', () => {
    const executed = items.filter(({ record }) => record['scheduleRef'])
    expect(executed.length).toBeGreaterThan(1)
    const creations = items
      .filter(({ kind }) => kind === 'scheduleCreate')
      .map(({ record }) => JSON.stringify((record['receipt'] as Message)['scheduledTransactionID']))
    for (const item of executed) expect(creations).toContain(idOf(item))
  })

  it('include batches whose inner transactions follow with the batch as parent and a batch key', () => {
    const batches = items.filter(({ kind }) => kind === 'atomicBatch')
    expect(batches.length).toBeGreaterThan(1)
    for (const batch of batches) {
      const parent = timeOf(batch.record['consensusTimestamp'])
      const within = items.filter(
        ({ record }) => record['parentConsensusTimestamp'] && timeOf(record['parentConsensusTimestamp']) === parent,
      )
      const inner = within.filter((item) => nonceOf(item) === 0)
      expect(inner).toHaveLength(((batch.body['atomicBatch'] as Message)['transactions'] as unknown[]).length)
      for (const item of inner) expect(item.body['batchKey']).toBeDefined()
    }
  })

  it('show multi-party and NFT transfers, approvals, assessed fees, rewards, fee limits, high volume and hooks', () => {
    const facts: Record<string, (item: ReadItem) => boolean> = {
      multiParty: ({ record }) =>
        (((record['transferList'] as Message)['accountAmounts'] as unknown[] | undefined) ?? []).length > 8,
      nft: ({ record }) =>
        listsOf(record).some((list) =>
          ((list['nftTransfers'] ?? []) as Message[]).some((nft) => nft['senderAccountID'] && nft['receiverAccountID']),
        ),
      wildcard: ({ record }) =>
        listsOf(record).some((list) =>
          ((list['nftTransfers'] ?? []) as Message[]).some((nft) => nft['serialNumber'] === -1),
        ),
      assessed: ({ record }) => 'assessedCustomFees' in record,
      rewards: ({ record }) => 'paidStakingRewards' in record,
      association: ({ record }) => 'automaticTokenAssociations' in record,
      pending: ({ record }) => 'newPendingAirdrops' in record,
      limits: ({ body }) => 'maxCustomFees' in body,
      highVolume: ({ body, record }) => body['highVolume'] === true && 'highVolumePricingMultiplier' in record,
      ethereumHash: ({ record }) => 'ethereumHash' in record,
      logs: ({ record }) =>
        (((record['contractCallResult'] as Message | undefined)?.['logInfo'] ?? []) as unknown[]).length > 0,
      registered: ({ record }) => 'registeredNodeId' in (record['receipt'] as Message),
      random: ({ record }) => 'prngBytes' in record || 'prngNumber' in record,
    }
    for (const [name, holds] of Object.entries(facts)) expect(items.some(holds), name).toBe(true)
  })

  it('count the messages of each topic without a gap', () => {
    const sequences = new Map<number, number>()
    for (const item of items) {
      if (item.kind !== 'consensusSubmitMessage' || statusOf(item) !== 22) continue
      const topic = Number(((item.body['consensusSubmitMessage'] as Message)['topicID'] as Message)['topicNum'])
      const sequence = Number((item.record['receipt'] as Message)['topicSequenceNumber'])
      expect(sequence).toBe((sequences.get(topic) ?? 0) + 1)
      sequences.set(topic, sequence)
    }
    expect(sequences.size).toBeGreaterThan(3)
  })

  it('carry the exchange rates that the newest file of rates says, also the transaction that brings them, unless they have a parent', () => {
    const ratesIn = ({ body, kind, record }: ReadItem): Message | undefined => {
      const receipt = record['receipt'] as Message
      const { fileID = receipt['fileID'], contents } = (body[kind] ?? {}) as { fileID?: Message; contents?: Uint8Array }
      const isOfRates = (fileID as Message | undefined)?.['fileNum'] === 112
      return isOfRates && receipt['status'] === responseCodes.SUCCESS
        ? decode('proto.ExchangeRateSet', contents!)
        : undefined
    }
    // Those that the network begins with hold from its first transaction on.
    let rates = items.map(ratesIn).find((brought) => brought !== undefined)
    for (const item of items) {
      rates = ratesIn(item) ?? rates
      const expected = item.record['parentConsensusTimestamp'] ? undefined : rates
      expect((item.record['receipt'] as Message)['exchangeRate']).toEqual(expected)
    }
    expect(items.filter(ratesIn).length).toBeGreaterThan(1)
  })

  it('start with the accounts and nodes of the network, the end of a staking period, and the system files', () => {
    const opening = blocks[0]?.items.slice(0, 32) ?? []
    const order = [...new Set(opening.map(({ kind }) => kind))]
    expect(order).toEqual(['cryptoCreateAccount', 'nodeCreate', 'nodeStakeUpdate', 'fileCreate', 'fileAppend'])
    const files = opening.filter(({ kind }) => kind === 'fileCreate').map(({ record }) => record['receipt'] as Message)
    expect(files.map(({ fileID }) => Number((fileID as Message)['fileNum']))).toEqual([101, 102, 111, 112, 113, 123])
  })
})

function listsOf(record: Message): Message[] {
  return (record['tokenTransferLists'] ?? []) as Message[]
}

function sum(amounts: readonly Amount[]): number {
  return amounts.reduce((total, { amount }) => total + (amount ?? 0), 0)
}
