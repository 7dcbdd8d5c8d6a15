import { describe, expect, it } from 'vitest'
import { Refusal } from '#queries/common/parameters.ts'
import { feeUsage } from '#queries/network-files/fee-usage.ts'
import type { KnownEntities } from '#queries/network-files/known-entities.ts'
import { estimateObject } from '#queries/network-files/render.ts'
import { transactionPayload } from '#queries/network-files/submitted-transaction.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import { defaultSimpleFees } from '#src/domain/network-files/default-simple-fees.ts'
import { estimateFees, type FeeEstimate } from '#src/domain/network-files/fee-estimate.ts'
import type { Message } from '#src/simulator/codec.ts'
import { key, signed } from '#test/queries/network-files/submitted.ts'

const known: KnownEntities = {
  topicsWithFees: new Set([900n]),
  tokensWithFees: new Set([901n]),
  collections: new Set([902n]),
}

interface Asked {
  readonly signatures?: number
  readonly state?: KnownEntities
  readonly multiplier?: number
  readonly fees?: typeof defaultSimpleFees
}

function estimateOf(
  bytes: Uint8Array,
  { state, multiplier = 1_000, fees = defaultSimpleFees }: Asked = {},
): FeeEstimate {
  const transaction = transactionPayload.parse(bytes)
  if (transaction === undefined || transaction instanceof Refusal) throw new Error('no transaction')
  const usage = feeUsage(transaction, state)
  const { signatures, bytes: length } = transaction
  const estimate = usage && estimateFees({ ...usage, fees, signatures, bytes: length, multiplier })
  if (estimate === undefined) throw new Error('no fees')
  return estimate
}

const estimate = (body: Message, asked: Asked = {}) => estimateOf(signed(body, asked.signatures), asked)
const keysOf = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, key]))
const eightKeys = keysOf(
  'adminKey',
  'kycKey',
  'freezeKey',
  'wipeKey',
  'supplyKey',
  'feeScheduleKey',
  'pauseKey',
  'metadataKey',
)
const bytes = (length: number) => Buffer.alloc(length, 7)
const hook = (hookId: number) => ({ extensionPoint: 0, hookId, evmHook: { spec: { contractId: { contractNum: 5 } } } })
const customFee = { fixedFee: { amount: 1 } }
const topicID = (topicNum: number) => ({ topicNum })
const amount = (accountNum: number, value = 1) => ({ accountID: { accountNum }, amount: value })
const tokens = (tokenNum: number, ...accounts: readonly number[]) => ({
  token: { tokenNum },
  transfers: accounts.map((each) => amount(each)),
})

describe('a transaction costs, in tinycents', () => {
  const vectors: readonly (readonly [name: string, body: Message, total: bigint])[] = [
    ['an empty transfer', { cryptoTransfer: {} }, 1_000_000n],
    ['an account deleted', { cryptoDelete: {} }, 50_000_000n],
    [
      'an account with a key and a hook',
      { cryptoCreateAccount: { key, hookCreationDetails: [hook(1)] } },
      10_500_000_000n,
    ],
    [
      'an account with a hook more and one less',
      { cryptoUpdateAccount: { key, hookCreationDetails: [hook(1)], hookIdsToDelete: [2] } },
      20_002_200_000n,
    ],
    ['a message', { consensusSubmitMessage: { topicID: topicID(1), message: bytes(128) } }, 1_890_400n],
    [
      'a topic with three keys and a fee',
      { consensusCreateTopic: { ...keysOf('adminKey', 'submitKey', 'feeScheduleKey'), customFees: [customFee] } },
      20_300_000_000n,
    ],
    [
      'a topic with five new keys',
      {
        consensusUpdateTopic: {
          ...keysOf('adminKey', 'submitKey', 'feeScheduleKey'),
          feeExemptKeyList: { keys: [key, key] },
        },
      },
      402_200_000n,
    ],
    ['a topic deleted', { consensusDeleteTopic: {} }, 50_000_000n],
    ['a call', { contractCall: { gas: 1_000_000 } }, 0n],
    [
      'a contract with a hook',
      { contractCreateInstance: { adminKey: key, hookCreationDetails: [hook(1)] } },
      20_000_000_000n,
    ],
    [
      'a contract with a hook more and one less',
      { contractUpdateInstance: { adminKey: key, hookCreationDetails: [hook(1)], hookIdsToDelete: [2] } },
      20_260_000_000n,
    ],
    ['a contract deleted', { contractDeleteInstance: {} }, 70_000_000n],
    ['a file deleted', { fileDelete: {} }, 70_000_000n],
    ['an Ethereum transaction', { ethereumTransaction: {} }, 1_000_000n],
    ['a file', { fileCreate: { keys: { keys: [key] }, contents: bytes(1_000) } }, 500_000_000n],
    ['a file changed', { fileUpdate: { contents: bytes(10) } }, 500_000_000n],
    ['a file appended to', { fileAppend: { contents: bytes(10) } }, 500_000_000n],
    [
      'a schedule',
      { scheduleCreate: { adminKey: key, scheduledTransactionBody: { cryptoTransfer: {} } } },
      100_000_000n,
    ],
    ['a schedule without a key', { scheduleCreate: {} }, 100_000_000n],
    ['a scheduled call', { scheduleCreate: { scheduledTransactionBody: { contractCall: {} } } }, 1_000_000_000n],
    ['a signature of a schedule', { scheduleSign: {} }, 10_000_000n],
    ['a schedule deleted', { scheduleDelete: {} }, 10_000_000n],
    ['an association', { tokenAssociate: { tokens: [{ tokenNum: 1 }] } }, 500_000_000n],
    ['a dissociation', { tokenDissociate: { tokens: [{ tokenNum: 1 }] } }, 500_000_000n],
    [
      'a token with eight keys and a fee',
      { tokenCreation: { ...eightKeys, customFees: [customFee] } },
      20_700_000_000n,
    ],
    ['a token that may get fees', { tokenCreation: keysOf('feeScheduleKey') }, 20_000_000_000n],
    ['a token with eight new keys', { tokenUpdate: eightKeys }, 710_000_000n],
    ['two NFTs', { tokenMint: { metadata: [bytes(1), bytes(2)] } }, 400_000_000n],
    ['tokens minted', { tokenMint: { amount: 5 } }, 10_000_000n],
    ['NFTs with new metadata', { tokenUpdateNfts: { serialNumbers: [1, 2, 3] } }, 30_000_000n],
    [
      'three allowances',
      { cryptoApproveAllowance: { cryptoAllowances: [{}], tokenAllowances: [{}], nftAllowances: [{}] } },
      1_500_000_000n,
    ],
    ['an allowance taken back', { cryptoDeleteAllowance: { nftAllowances: [{}] } }, 500_000_000n],
    [
      'slots of a hook',
      { hookStore: { storageUpdates: [{ storageSlot: {} }, { mappingEntries: { entries: [{}, {}] } }] } },
      150_000_000n,
    ],
    ['a system deletion', { systemDelete: {} }, 0n],
    ['a system restoration', { systemUndelete: {} }, 0n],
    ...[
      'tokenBurn',
      'tokenDeletion',
      'tokenFreeze',
      'tokenUnfreeze',
      'tokenGrantKyc',
      'tokenRevokeKyc',
      'tokenPause',
      'tokenUnpause',
      'tokenWipe',
      'tokenFeeScheduleUpdate',
      'tokenReject',
      'tokenCancelAirdrop',
      'tokenClaimAirdrop',
      'utilPrng',
      'atomicBatch',
      'nodeCreate',
      'nodeUpdate',
      'nodeDelete',
      'registeredNodeCreate',
      'registeredNodeUpdate',
      'registeredNodeDelete',
    ].map((field) => [field, { [field]: {} }, 10_000_000n] as const),
  ]
  it.each(vectors)('%s', (_name, body, total) => {
    expect(estimate(body).total).toBe(total)
  })

  it('more for each signature beyond the first, and for each byte beyond those that are included', () => {
    expect(estimate({ cryptoTransfer: {} }, { signatures: 2 }).total).toBe(2_000_000n)
    const long = estimate({ consensusSubmitMessage: { message: bytes(2_000) } })
    expect(long.service.base + long.service.extras[0]!.subtotal).toBe(13_620_000n)
    const [processing] = long.node.extras
    expect(processing).toMatchObject({ name: 'PROCESSING_BYTES', included: 1_350, feePerUnit: 10_000n })
    expect(processing!.count).toBe(signed({ consensusSubmitMessage: { message: bytes(2_000) } }).length)
    expect(long.network.subtotal).toBe(9n * (100_000n + processing!.subtotal))
  })

  it('less or more by what the ledger knows of topics and tokens', () => {
    const message = { consensusSubmitMessage: { topicID: topicID(900), message: bytes(128) } }
    expect(estimate(message, { state: known }).total).toBe(500_000_000n)
    expect(estimate(message).total).toBe(1_890_400n)
    const transfer = (token: number) =>
      estimate({ cryptoTransfer: { tokenTransfers: [tokens(token, 1, 2)] } }, { state: known })
    expect(transfer(901).total - transfer(903).total).toBe(10_000_000n)
  })

  it('nothing where the network is asked to write one of its files by who may', () => {
    const update = (fileNum: number, accountNum: number) => ({
      transactionID: { accountID: { accountNum } },
      fileUpdate: { fileID: { fileNum }, contents: bytes(5_000) },
    })
    expect(estimate(update(112, 57), { state: known }).total).toBe(0n)
    expect(estimate(update(112, 2), { state: known }).node).toEqual({ base: 0n, extras: [] })
    expect(estimate(update(112, 57)).total).toBeGreaterThan(500_000_000n)
    expect(estimate(update(112, 56), { state: known }).total).toBeGreaterThan(500_000_000n)
    expect(estimate(update(1_001, 2), { state: known }).total).toBeGreaterThan(500_000_000n)
  })
})

describe('what is counted', () => {
  const counts = (body: Message, asked?: Asked) =>
    Object.fromEntries(estimate(body, asked).service.extras.map(({ name, count }) => [name, count]))

  it('of a key is every public key in it, whatever the thresholds, and no contract', () => {
    const list = { keyList: { keys: [key, key] } }
    const tree = { thresholdKey: { threshold: 1, keys: { keys: [key, list, { contractID: { contractNum: 5 } }] } } }
    expect(counts({ cryptoCreateAccount: { key: tree } })).toEqual({ KEYS: 3 })
    expect(counts({ fileCreate: { keys: { keys: [tree, key] } } })).toEqual({ KEYS: 4 })
  })

  it('of a transfer is every account once, by number or alias', () => {
    const aliased = { accountID: { alias: Buffer.from('ab', 'hex') }, amount: 1 }
    const accountAmounts = [amount(1), amount(2, -1), aliased]
    const nftTransfers = [{ senderAccountID: { accountNum: 2 }, receiverAccountID: { accountNum: 3 }, serialNumber: 1 }]
    const tokenTransfers = [{ token: { tokenNum: 902 }, nftTransfers }, tokens(5, 1, 4)]
    expect(counts({ cryptoTransfer: { transfers: { accountAmounts }, tokenTransfers } })).toMatchObject({ ACCOUNTS: 5 })
  })

  it('of tokens is every entry, or with the state at hand every fungible list and every NFT', () => {
    const nft = (serialNumber: number) => ({ ...nobody, serialNumber })
    const lists = [tokens(5, 1, 2), { token: { tokenNum: 902 }, nftTransfers: [nft(1), nft(2), nft(3)] }]
    const transfer = { cryptoTransfer: { tokenTransfers: lists } }
    expect(counts(transfer)).toMatchObject({ TOKEN_TYPES: 5 })
    expect(counts(transfer, { state: known })).toMatchObject({ TOKEN_TYPES: 4, TOKEN_TRANSFER_BASE: 1 })
    // An airdrop pays for its tokens as a transfer does.
    const airdrop = estimate({ tokenAirdrop: { tokenTransfers: lists } }, { state: known })
    expect(airdrop.service.extras.map(({ name, included, charged }) => [name, included, charged])).toEqual([
      ['TOKEN_TRANSFER_BASE', 0, 1],
      ['TOKEN_TYPES', 1, 3],
    ])
  })

  it('of hooks is every call, and gas up to a limit', () => {
    const call = (gasLimit: number) => ({ hookId: 1, evmHookCall: { gasLimit } })
    const hooked = (names: Message) => ({
      cryptoTransfer: { transfers: { accountAmounts: [{ ...amount(1), ...names }] } },
    })
    const both = { preTxAllowanceHook: call(5_000), prePostTxAllowanceHook: call(6_000) }
    expect(counts(hooked(both))).toEqual({ HOOK_EXECUTION: 3, GAS: 11_000 })
    expect(counts(hooked({ preTxAllowanceHook: call(99_000_000) }))).toEqual({ HOOK_EXECUTION: 1, GAS: 15_000_000 })
    const nft = {
      ...nobody,
      serialNumber: 1,
      preTxSenderAllowanceHook: call(1),
      prePostTxReceiverAllowanceHook: call(2),
    }
    expect(counts({ cryptoTransfer: { tokenTransfers: [{ nftTransfers: [nft] }] } })).toEqual({
      HOOK_EXECUTION: 3,
      GAS: 3,
    })
  })

  it('of the length is what is known of the transaction', () => {
    const body = { consensusSubmitMessage: { message: bytes(1_400) } }
    const plain = signed(body)
    const padded = Buffer.concat([plain, Buffer.from('fa7f03010203', 'hex'), Buffer.from([0x22, 0])])
    expect(estimateOf(padded).node).toEqual(estimateOf(plain).node)
  })
})

describe('a price', () => {
  it('rises as a whole with the volume', () => {
    const body = { cryptoCreateAccount: keysOf('key') }
    const [plain, high] = [estimate(body), estimate(body, { multiplier: 8_500 })]
    expect(high.total).toBe((plain.total * 17n) / 2n)
    expect(high.node.base).toBe(850_000n)
    expect(high.network).toEqual({ multiplier: 9, subtotal: 7_650_000n })
    const two = estimate({ cryptoCreateAccount: { key: { keyList: { keys: [key, key] } } } }, { multiplier: 2_000 })
    expect(two.service.extras).toMatchObject([{ feePerUnit: 200_000_000n, charged: 1, subtotal: 200_000_000n }])
  })

  it('is never more than 63 bits hold', () => {
    const fees = { ...defaultSimpleFees, node: { ...defaultSimpleFees.node, baseFee: maxInt64 } }
    const { node, network, total } = estimate({ utilPrng: {} }, { fees })
    expect([node.base, network.subtotal, total]).toEqual([maxInt64, maxInt64, maxInt64])
  })

  it('is not made of what the schedule does not define', () => {
    const services = new Map(
      [...defaultSimpleFees.services].map(([kind, fees]) => [kind, { ...fees, extras: new Map() }]),
    )
    expect(() =>
      estimate({ tokenMint: { metadata: [bytes(1)] } }, { fees: { ...defaultSimpleFees, services } }),
    ).toThrow('The simple fee schedule says nothing of TOKEN_MINT_NFT_BASE for TokenMint')
    expect(() => estimate({ freeze: {} })).toThrow('no fees')
    expect(() => estimate({ utilPrng: {} }, { fees: { ...defaultSimpleFees, services: new Map() } })).toThrow('no fees')
  })

  it('is shown with a fraction of the multiplier only where there is one', () => {
    const shown = (multiplier: number) =>
      JSON.parse(estimateObject.render({ ...estimate({ utilPrng: {} }, { multiplier }), multiplier }))
    expect(shown(1_500)).toMatchObject({ high_volume_multiplier: 1, high_volume_multiplier_exact: 1.5 })
    expect(shown(4_000)).toMatchObject({ high_volume_multiplier: 4 })
    expect(shown(4_000)).not.toHaveProperty('high_volume_multiplier_exact')
  })
})

const nobody = { senderAccountID: { accountNum: 1 }, receiverAccountID: { accountNum: 2 } }
