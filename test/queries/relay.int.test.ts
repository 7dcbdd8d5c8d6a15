import { type Hex, keccak256, type TransactionSerializable } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { paddedWord } from '#src/domain/evm-words.ts'
import { bloomOf } from '#src/domain/log-bloom.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { parseExactJson } from '#test/conformance/exact-json.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import {
  accountCreated,
  address,
  called,
  contract,
  fungibleAbi,
  hashOf,
  moved,
  native,
  nft,
  nftAbi,
  nobody,
  token,
  tokens,
} from '#test/projections/contract-logs/story.ts'
import { accountUpdated, transaction } from '#test/projections/entities/story.ts'
import { exchangeRates, feeSchedule, rates, schedule, updated } from '#test/projections/network-files/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { mayHold } from '#test/support/log-bloom.ts'
import { relayTo } from '#test/support/relay.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
const at = (seconds: number, nanos = 0) => start + BigInt(seconds) * second + BigInt(nanos)
const payer = 1_009n
const signer = privateKeyToAccount(generatePrivateKey())
const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger()
  await ledger.record([
    updated(
      at(0, 1),
      feeSchedule,
      schedule({ gas: 852_000, expires: 4_000_000_000 }, { gas: 1, expires: 4_100_000_000 }),
    ),
    updated(at(0, 2), exchangeRates, rates(12, 4_000_000_000)),
    accountCreated(at(0, 3), alice, {}, { record: { evmAddress: bytesOf(signer.address) } }),
    accountCreated(at(0, 4), payer),
    block(1n, 0, at(0, 5)),
  ])
})
afterEach(() => ledger.close())

const relay = relayTo(async (path) => {
  const answer = await ledger.app().inject(path.startsWith('/api') ? path : `/api/v1${path}`)
  return answer.statusCode === 404 ? undefined : parseExactJson(answer.body)
})

/** The block from one second to the next. */
function block(number: bigint, from: number, end: bigint): LogRecord {
  const facts = {
    number,
    consensusStart: at(from),
    consensusEnd: end,
    hash: Buffer.alloc(48, Number(number)),
    gasUsed: 90_000n,
  }
  return recordOf('BlockRecorded', wholeEvent('BlockRecorded', { ...facts, hapiVersionMajor: 0, hapiVersionMinor: 73 }))
}

const topic = (byte: number) => Buffer.alloc(32, byte)
const real = {
  contractID: { contractNum: contract },
  topic: [topic(1), topic(2)],
  data: Buffer.alloc(64, 3),
  bloom: bloomOf(longZeroAddress(contract), [topic(1), topic(2)]),
}

type Result = NonNullable<Sketch<NonNullable<NonNullable<TransactionRecorded['record']>['contractCallResult']>>>

/** An Ethereum transaction as the network records it, signed by a real library. */
async function ethereum(
  time: bigint,
  sent: TransactionSerializable,
  result: Result,
  facts: Sketch<TransactionRecorded> = {},
) {
  const raw = await signer.signTransaction(sent)
  const given = { gasUsed: 80_000n, senderId: { accountNum: alice }, contractID: { contractNum: contract }, ...result }
  const field = sent.to ? 'contractCallResult' : 'contractCreateResult'
  const event = transaction(time, 50, null, {
    payerAccountId: payer,
    transactionIndex: 4,
    transactionHash: hashOf(time),
    ethereumTransaction: { ethereumData: bytesOf(raw) },
    record: { ethereumHash: bytesOf(keccak256(raw)), [field]: given },
    ...facts,
  })
  return { event, hash: keccak256(raw) }
}

const call = { to: address(contract), chainId: 295, nonce: 3, gas: 150_000n, data: '0xa9059cbb' } as const

describe('eth_getLogs', () => {
  const place = (time: bigint, number: number) => ({
    blockHash: `0x${'02'.repeat(32)}`,
    blockNumber: 2n,
    removed: false,
    transactionHash: `0x${hashOf(time).subarray(0, 32).toString('hex')}`,
    logIndex: number,
  })

  beforeEach(async () => {
    await ledger.record([
      called(at(1), contract, { logs: [real], transactionIndex: 0 }),
      native(at(1, 1_000), { tokenTransfers: tokens(token, [payer, -5n], [bob, 5n]) }, { index: 1 }),
      native(at(1, 2_000), { type: 37, nftTransfers: [moved(nft, null, bob, 7n)] }, { index: 2 }),
      block(2n, 1, at(1, 3_000)),
    ])
  })

  it('has every field of a recorded log', async () => {
    const [log] = await relay.getLogs({ address: address(contract), fromBlock: 2n, toBlock: 2n })
    expect(log).toEqual({
      ...place(at(1), 0),
      address: address(contract).toLowerCase(),
      data: `0x${'03'.repeat(64)}`,
      topics: [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`],
      transactionIndex: 0,
    })
  })

  it('has those made for tokens, which decode as those of ERC-20 and ERC-721', async () => {
    const [transfer] = await relay.getLogs({
      event: fungibleAbi[0],
      args: { to: address(bob) },
      fromBlock: 1n,
      toBlock: 2n,
      strict: true,
    })
    expect(transfer).toMatchObject({
      ...place(at(1, 1_000), 1),
      address: address(token).toLowerCase(),
      args: { from: address(payer), to: address(bob), value: 5n },
      transactionIndex: 1,
    })
    const [mint] = await relay.getLogs({
      event: nftAbi[0],
      args: { tokenId: 7n },
      blockHash: `0x${'02'.repeat(32)}`,
      strict: true,
    })
    expect(mint).toMatchObject({
      ...place(at(1, 2_000), 2),
      address: address(nft).toLowerCase(),
      args: { from: nobody, to: address(bob), tokenId: 7n },
      transactionIndex: 2,
    })
    expect(await relay.getLogs({ fromBlock: 2n, toBlock: 2n })).toHaveLength(3)
    expect(await relay.getLogs({ fromBlock: 1n, toBlock: 1n })).toEqual([])
  })
})

describe('eth_getTransactionReceipt', () => {
  it('has every field of a call', async () => {
    const { event, hash } = await ethereum(
      at(1),
      { ...call, type: 'eip1559', maxFeePerGas: 10n ** 12n },
      { logInfo: [real], bloom: real.bloom },
    )
    await ledger.record([event, block(2n, 1, at(1))])
    const { logs, logsBloom, ...receipt } = await relay.getTransactionReceipt({ hash })
    expect(receipt).toEqual({
      blockHash: `0x${'02'.repeat(32)}`,
      blockNumber: 2n,
      contractAddress: null,
      cumulativeGasUsed: 90_000n,
      effectiveGasPrice: 710_000_000_000n,
      from: signer.address.toLowerCase(),
      gasUsed: 80_000n,
      status: 'success',
      to: address(contract).toLowerCase(),
      transactionHash: hash,
      transactionIndex: 0,
      type: 'eip1559',
    })
    expect(logs).toEqual(await relay.getLogs({ blockHash: receipt.blockHash }))
    expect(logsBloom).toBe(`0x${real.bloom.toString('hex')}`)
  })

  const creation = { chainId: 295, nonce: 3, gas: 500_000n, gasPrice: 710_000_000_000n, data: '0x6001' } as const

  it.each([
    { ...creation, type: 'legacy' as const },
    { ...creation, type: 'eip2930' as const, accessList: [{ address: address(contract), storageKeys: [] }] },
  ])('has the contract that a creation of type $type made', async (sent) => {
    const { event, hash } = await ethereum(at(1), sent, { createdContractIDs: [{ contractNum: contract }] })
    await ledger.record([event, block(2n, 1, at(1))])
    expect(await relay.getTransactionReceipt({ hash })).toMatchObject({
      contractAddress: address(contract).toLowerCase(),
      to: null,
      type: sent.type,
    })
  })

  it('says that a transaction reverted', async () => {
    const failed = { successful: false, result: 33 }
    const { event, hash } = await ethereum(
      at(1),
      { ...call, type: 'legacy', gasPrice: 1n },
      { errorMessage: '0x' },
      failed,
    )
    await ledger.record([event, block(2n, 1, at(1))])
    expect(await relay.getTransactionReceipt({ hash })).toMatchObject({ status: 'reverted', type: 'legacy', logs: [] })
  })

  it('is there for a transaction that only moved tokens, whose hash its logs have', async () => {
    const nfts = [moved(nft, payer, bob, 7n)]
    await ledger.record([
      native(at(1), { tokenTransfers: tokens(token, [payer, -5n], [bob, 5n]), nftTransfers: nfts }, { index: 3 }),
      block(2n, 1, at(1)),
    ])
    const logs = await relay.getLogs({ fromBlock: 2n, toBlock: 2n })
    const { logsBloom, ...receipt } = await relay.getTransactionReceipt({ hash: logs[0]!.transactionHash })
    expect(receipt).toEqual({
      blockHash: `0x${'02'.repeat(32)}`,
      blockNumber: 2n,
      contractAddress: null,
      cumulativeGasUsed: 90_000n,
      effectiveGasPrice: 710_000_000_000n,
      from: address(payer).toLowerCase(),
      gasUsed: 0n,
      logs,
      status: 'success',
      to: address(token).toLowerCase(),
      transactionHash: logs[0]!.transactionHash,
      transactionIndex: 0,
      type: 'legacy',
    })
    expect(logs).toHaveLength(2)
    for (const log of logs)
      for (const item of [log.address, ...log.topics]) expect(mayHold(bytesOf(logsBloom), bytesOf(item))).toBe(true)
    expect(mayHold(bytesOf(logsBloom), paddedWord(Buffer.from('aa', 'hex')))).toBe(false)
  })

  it('is not there for a transaction that the EVM would see nothing of', async () => {
    await ledger.record([native(at(1)), block(2n, 1, at(1))])
    const hash: Hex = `0x${hashOf(at(1)).subarray(0, 32).toString('hex')}`
    await expect(relay.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
  })
})

it('who signed an authorization runs the code of the contract from the child on that says so', async () => {
  const authorization = await signer.signAuthorization({ contractAddress: address(contract), chainId: 295, nonce: 4 })
  const sent = { ...call, type: 'eip7702', authorizationList: [authorization], maxFeePerGas: 10n ** 12n } as const
  const { event, hash } = await ethereum(at(1), sent, {})
  const child = { nonce: 1, parentConsensusTimestamp: at(1) }
  await ledger.record([
    event,
    accountUpdated(at(1, 1), alice, { delegationAddress: bytesOf(address(contract)) }, child),
    block(2n, 1, at(1, 1)),
  ])
  expect(await relay.getTransactionReceipt({ hash })).toMatchObject({ type: 'eip7702' })
  const ask = async (path: string) => (await ledger.app().inject(`/api/v1${path}`)).json()
  const [listed] = (await ask(`/contracts/results/${hash}`)).authorization_list
  const authority = await recoverAuthorizationAddress({
    authorization: { address: listed.address, chainId: Number(listed.chain_id), nonce: listed.nonce },
    signature: { r: listed.r, s: listed.s, yParity: listed.y_parity },
  })
  expect(authority).toBe(signer.address)
  const delegation = async (query: string) => (await ask(`/accounts/${authority}${query}`)).delegation_address
  expect(await delegation('')).toBe(address(contract).toLowerCase())
  expect(await delegation(`?timestamp=lt:${at(1) / second}`)).toBe('0x')
})
