import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactionEvents } from '#src/importer/decode/transaction-event.ts'
import { account, alice, amount, bob, encode, eventOf, eventsOf, item, token } from './items.ts'

const second = 1_000_000_000n

describe('the head of an event', () => {
  it('tells the transaction id, times, fees and place in the block', () => {
    const event = eventOf({ nonce: 2, body: { memo: 'hello', cryptoTransfer: {} } })

    expect(event).toMatchObject({
      consensusTimestamp: 2_000n * second,
      validStartTimestamp: 1_000n * second,
      payerAccountId: BigInt(alice),
      nonce: 2,
      scheduled: false,
      parentConsensusTimestamp: null,
      blockNumber: 7n,
      transactionIndex: 0,
      type: 14,
      result: 22,
      nodeAccountId: 3n,
      entityId: null,
      chargedTxFee: 70n,
      maxFee: 100n,
      validDurationSeconds: 120n,
      successful: true,
      unparsed: null,
      transactionBytes: null,
    })
    expect(event.memo?.toString()).toBe('hello')
  })

  it.each(['signed', 'bodyBytes', 'embedded'] as const)('reads a %s body with its signatures', (form) => {
    const event = eventOf({ form, body: { memo: form, cryptoTransfer: {} } })

    expect([event.type, event.memo?.toString(), event.unparsed]).toEqual([14, form, null])
    expect(event.signatures).toMatchObject([{ pubKeyPrefix: Buffer.from('ab', 'hex'), ed25519: Buffer.alloc(64, 9) }])
  })

  it('keeps the memo byte for byte', () => {
    const memo = 'a\0é'

    expect(eventOf({ body: { memo, cryptoTransfer: {} } }).memo).toEqual(Buffer.from(memo))
  })

  it("keeps fees above 2^63 as their two's complement", () => {
    expect(eventOf({ body: { transactionFee: '18446744073709551615', cryptoTransfer: {} } }).maxFee).toBe(-1n)
  })

  it('says where a valid start lies beyond what its field can hold', () => {
    const id = { accountID: account(alice), transactionValidStart: { seconds: '9223372037' } }
    const event = eventOf({ body: { transactionID: id, cryptoTransfer: {} }, record: { transactionID: id } })

    expect(event.validStartTimestamp).toBe(2n ** 63n - 1n)
    expect(event.unparsed?.reason).toContain('a valid start out of range')
    expect(eventOf({}).unparsed).toBeNull()
  })

  it('leaves out what the body does not say', () => {
    const event = eventOf({ body: { transactionValidDuration: null, nodeAccountID: null, cryptoTransfer: {} } })

    expect(event).toMatchObject({ validDurationSeconds: null, nodeAccountId: null, batchKey: null })
  })

  it('calls what has a schedule reference scheduled', () => {
    expect(eventOf({ record: { scheduleRef: { scheduleNum: 5 } } }).scheduled).toBe(true)
  })

  it('flattens limits for custom fees', () => {
    const fees = [{ amount: 5 }, { amount: 6, denominatingTokenId: { tokenNum: token } }]

    const { maxCustomFees } = eventOf({
      body: { maxCustomFees: [{ accountId: account(bob), fees }], cryptoTransfer: {} },
    })

    expect(maxCustomFees).toEqual([
      { accountId: BigInt(bob), amount: 5n, denominatingTokenId: null },
      { accountId: BigInt(bob), amount: 6n, denominatingTokenId: BigInt(token) },
    ])
  })

  it('tells the initial balance of creations, also of failed ones', () => {
    expect(eventOf({ status: 7, body: { cryptoCreateAccount: { initialBalance: 9 } } }).initialBalance).toBe(9n)
    expect(eventOf({ body: { contractCreateInstance: { initialBalance: 8 } } }).initialBalance).toBe(8n)
  })

  it('tells custom fees and staking rewards of the record', () => {
    const assessed = { amount: 4, feeCollectorAccountId: account(bob), effectivePayerAccountId: [account(alice)] }

    const event = eventOf({ record: { assessedCustomFees: [assessed], paidStakingRewards: [amount(bob, 3)] } })

    expect(event.assessedCustomFees).toEqual([
      { amount: 4n, collectorAccountId: BigInt(bob), tokenId: null, effectivePayerAccountIds: [BigInt(alice)] },
    ])
    expect(event.stakingRewards).toEqual([{ accountId: BigInt(bob), amount: 3n }])
  })
})

describe('raw bytes', () => {
  it('are kept where asked for', () => {
    const one = item()

    expect(eventsOf([one], { keepRawBytes: true })).toMatchObject([
      { transactionBytes: one.transaction, recordBytes: one.record },
    ])
  })

  it.each(['nodeCreate', 'nodeUpdate', 'nodeDelete'])('are always kept of %s', (body) => {
    const one = item({ body: { [body]: {} } })

    expect(eventsOf([one])[0]!.transactionBytes).toEqual(one.transaction)
  })
})

describe('what is not understood', () => {
  const unknownBody = (number: number) => Buffer.concat([varint(number * 8 + 2), Buffer.from([2, 8, 1])])

  it('is published with the one unknown field number as type', () => {
    const event = eventOf({ body: { memo: 'x' }, extraBody: unknownBody(97) })

    expect(event).toMatchObject({ type: 97, result: 22, chargedTxFee: 70n, maxFee: 100n, entityId: null })
    expect(event.unparsed?.reason).toContain('unknown fields in the transaction body')
    expect(event.unparsed?.transaction).toBeInstanceOf(Buffer)
  })

  it('has type 0 when several unknown fields might be the type', () => {
    expect(eventOf({ body: {}, extraBody: Buffer.concat([unknownBody(97), unknownBody(98)]) }).type).toBe(0)
  })

  it('keeps a known type beside an unknown field', () => {
    const event = eventOf({ extraBody: unknownBody(2000) })

    expect([event.type, event.cryptoTransfer === null]).toEqual([14, false])
    expect(event.unparsed).not.toBeNull()
  })

  it('is noticed however deep it is', () => {
    const one = item({ extraRecord: Buffer.concat([varint(10 * 8 + 2), Buffer.from([3, 0xfa, 0x01, 0x00])]) })

    const [event] = eventsOf([one])

    expect(event!.unparsed).toMatchObject({ reason: 'unknown fields in the record', record: one.record })
  })

  it('keeps an unknown result code', () => {
    expect(eventOf({ status: 9_999 }).result).toBe(9_999)
  })

  it('is published with the ids of the record when there is no body', () => {
    const [event] = eventsOf([{ transaction: Buffer.from('2a04ffffffff', 'hex'), record: item().record }])

    expect(event).toMatchObject({ type: 0, payerAccountId: BigInt(alice), consensusTimestamp: 2_000n * second })
    expect(event!.unparsed?.reason).toContain('unreadable transaction')
  })

  it('tells the type of a body that cannot be read', () => {
    const bodyBytes = Buffer.concat([varint(14 * 8 + 2), Buffer.from([2, 0x0a, 0x7f])])
    const [event] = eventsOf([{ transaction: encode('proto.Transaction', { bodyBytes }), record: item().record }])

    expect(event).toMatchObject({ type: 14, cryptoTransfer: null })
    expect(event!.unparsed?.reason).toContain('unreadable transaction')
  })

  it('keeps a memo of the record that differs from that of the body', () => {
    expect(eventOf({ record: { memo: 'other' } }).unparsed?.reason).toContain('memo')
  })

  it('keeps a payer that is an alias', () => {
    const event = eventOf({ payer: { alias: Buffer.alloc(20, 1) } })

    expect(event.payerAccountId).toBe(0n)
    expect(event.unparsed?.reason).toContain('payer')
  })

  it('is an error only where the record has no consensus time', () => {
    const broken = { transaction: item().transaction, record: Buffer.from('ffff', 'hex') }

    expect(() => eventsOf([item(), broken])).toThrow(expect.objectContaining({ code: 'file_malformed' }))
    expect(() => eventsOf([item(), broken])).toThrow(/record of item 1 cannot be read/)
  })

  it('never makes decoding of a transaction fail, whatever its bytes', () => {
    const { record, transaction } = item({
      body: { cryptoTransfer: { transfers: { accountAmounts: [amount(alice, -5)] } } },
    })
    const mutated = fc
      .tuple(fc.nat(transaction.length - 1), fc.nat(255))
      .map(([at, byte]) => Buffer.from(transaction.map((old, index) => (index === at ? byte : old))))
    const anything = fc.uint8Array({ maxLength: 100 })

    fc.assert(
      fc.property(fc.oneof(mutated, anything), (bytes) => {
        expect(eventsOf([{ transaction: bytes, record }])).toHaveLength(1)
      }),
      { numRuns: 500 },
    )
  })
})

describe('transfers', () => {
  const transfers = (...accountAmounts: object[]) => ({ accountAmounts })

  it('come from the record, approvals of debits from the same entry of the body', () => {
    const event = eventOf({
      body: { cryptoTransfer: { transfers: transfers(amount(alice, -5, true), amount(bob, 5, true)) } },
      record: { transferList: transfers(amount(alice, -5), amount(bob, 5), amount(3, 1)) },
    })

    expect(event.transfers.map((entry) => [entry.accountId, entry.amount, entry.isApproval])).toEqual([
      [BigInt(alice), -5n, true],
      [BigInt(bob), 5n, false],
      [3n, 1n, false],
    ])
  })

  it('lose the approval when the fee changed the amount', () => {
    const event = eventOf({
      body: { cryptoTransfer: { transfers: transfers(amount(alice, -5, true)) } },
      record: { transferList: transfers(amount(alice, -75)) },
    })

    expect(event.transfers[0]!.isApproval).toBe(false)
  })

  it('of tokens are by approval when any entry of the account is', () => {
    const list = (...entries: object[]) => [{ token: { tokenNum: token }, transfers: entries }]
    const event = eventOf({
      body: { cryptoTransfer: { tokenTransfers: list(amount(alice, -5, true), amount(alice, -1, true)) } },
      record: { tokenTransferLists: list(amount(alice, -6), amount(bob, 6)) },
    })

    expect(event.tokenTransfers).toEqual([
      { tokenId: BigInt(token), accountId: BigInt(alice), amount: -6n, isApproval: true },
      { tokenId: BigInt(token), accountId: BigInt(bob), amount: 6n, isApproval: false },
    ])
  })

  it('of tokens follow an entry that is equal in everything', () => {
    const list = (...entries: object[]) => [{ token: { tokenNum: token }, transfers: entries }]
    const event = eventOf({
      body: { cryptoTransfer: { tokenTransfers: list(amount(alice, -5), amount(alice, -1, true)) } },
      record: { tokenTransferLists: list(amount(alice, -5)) },
    })

    expect(event.tokenTransfers[0]!.isApproval).toBe(false)
  })

  it('of NFTs have no sender when minted and keep the approval of the same move', () => {
    const nft = (serialNumber: number, sender: number, isApproval = false) => ({
      serialNumber,
      ...(sender ? { senderAccountID: account(sender) } : {}),
      receiverAccountID: account(bob),
      isApproval,
    })
    const list = (...nftTransfers: object[]) => [{ token: { tokenNum: token }, nftTransfers }]
    const event = eventOf({
      body: { cryptoTransfer: { tokenTransfers: list(nft(1, alice, true)) } },
      record: { tokenTransferLists: list(nft(1, alice), nft(2, 0), nft(-1, alice)) },
    })

    expect(event.nftTransfers).toEqual([
      entry(1n, BigInt(alice), true),
      entry(2n, null, false),
      entry(-1n, BigInt(alice), false),
    ])
    function entry(serialNumber: bigint, senderAccountId: bigint | null, isApproval: boolean) {
      return { tokenId: BigInt(token), serialNumber, senderAccountId, receiverAccountId: BigInt(bob), isApproval }
    }
  })

  it("of failed transactions in mainnet's first weeks are marked as never happened", () => {
    const sketch = {
      status: 10,
      body: { cryptoTransfer: { transfers: transfers(amount(alice, -5), amount(bob, 5)) } },
      record: { transferList: transfers(amount(alice, -5), amount(bob, 5), amount(alice, -1)) },
    }

    expect(eventOf(sketch, { network: 'mainnet' }).transfers.map((entry) => entry.errata)).toEqual([
      'DELETE',
      'DELETE',
      null,
    ])
    expect(eventOf(sketch, { network: 'mainnet-archive' }).transfers[0]!.errata).toBe('DELETE')
    expect(eventOf(sketch, { network: 'testnet' }).transfers[0]!.errata).toBeNull()
    expect(eventOf({ ...sketch, at: 1_600_000_000 }, { network: 'mainnet' }).transfers[0]!.errata).toBeNull()
    expect(eventOf({ ...sketch, status: 22 }, { network: 'mainnet' }).transfers[0]!.errata).toBeNull()
  })
})

describe('families', () => {
  it('fail with their parent', () => {
    const events = eventsOf([
      item({ at: 1, status: 33 }),
      item({ at: 2, parent: 1, nonce: 1 }),
      item({ at: 3, parent: 2, nonce: 2 }),
      item({ at: 4, parent: 99, nonce: 1 }),
    ])

    expect(events.map((event) => event.successful)).toEqual([false, false, false, true])
    expect(events.map((event) => event.parentConsensusTimestamp)).toEqual([null, second, 2n * second, 99n * second])
  })

  it('do not fail with it where they make an account delegate to code, which a revert does not take back', () => {
    const delegationAddress = Buffer.alloc(20, 7)
    const update = { cryptoUpdateAccount: { accountIDToUpdate: account(bob), delegationAddress } }
    const events = eventsOf([
      item({ at: 1, body: { ethereumTransaction: {} }, status: 33 }),
      item({ at: 2, parent: 1, nonce: 1, body: update }),
      item({ at: 3, parent: 1, nonce: 2, body: { cryptoCreateAccount: { delegationAddress } } }),
      item({ at: 4, parent: 1, nonce: 3, body: { cryptoUpdateAccount: { accountIDToUpdate: account(bob) } } }),
      item({ at: 5, parent: 1, nonce: 4, body: update, status: 30 }),
    ])

    expect(events.map((event) => event.successful)).toEqual([false, true, true, false, false])
  })

  it.each([22, 104, 220])('succeed with result %i', (status) => {
    expect(eventOf({ status }).successful).toBe(true)
  })

  it('of a batch tell it the ids of its inner transactions, but not of their children', () => {
    const batchKey = { ed25519: Buffer.alloc(32, 3) }
    const inner = { batchKey, cryptoTransfer: {} }
    const [batch, first] = eventsOf([
      item({ at: 1, body: { atomicBatch: { transactions: [Buffer.from('01', 'hex')] } } }),
      item({ at: 2, parent: 1, payer: account(bob), body: inner }),
      item({ at: 3, parent: 2, nonce: 1 }),
      item({ at: 4, parent: 1, payer: account(alice), body: inner }),
    ])

    expect(batch!.innerTransactions).toEqual([
      { payerAccountId: BigInt(bob), validStartTimestamp: 1_000n * second },
      { payerAccountId: BigInt(alice), validStartTimestamp: 1_000n * second },
    ])
    expect(first!.batchKey).toEqual(encode('proto.Key', batchKey))
    expect(batch!.atomicBatch?.transactions).toEqual([Buffer.from('01', 'hex')])
  })

  it('collect the inner transactions of a batch also behind a child that precedes its parent', () => {
    const inner = { batchKey: { ed25519: Buffer.alloc(32, 3) }, cryptoTransfer: {} }
    const events = eventsOf([
      item({ at: 1, body: { atomicBatch: {} } }),
      item({ at: 2, parent: 1, body: inner }),
      item({ at: 3, nonce: 1, body: { cryptoCreateAccount: {} } }),
      item({ at: 4, parent: 1, body: inner }),
      item({ at: 5 }),
    ])

    expect(events.map(({ innerTransactions }) => innerTransactions.length)).toEqual([2, 0, 0, 0, 0])
    expect(events.map(({ consensusTimestamp }) => consensusTimestamp / second)).toEqual([1n, 2n, 3n, 4n, 5n])
  })
})

describe('sidecars', () => {
  const sidecar = (at: number, fields: object) =>
    encode('proto.TransactionSidecarRecord', { consensusTimestamp: { seconds: at }, ...fields })
  const actions = { contractActions: [{ gas: 5, callDepth: 1 }] }

  it('go to the transaction of their consensus time', () => {
    const [first, second] = eventsOf([item({ at: 1 }), item({ at: 2 })], {
      sidecarRecords: [
        sidecar(2, { actions }),
        sidecar(2, { bytecode: { initcode: Buffer.from('60', 'hex') }, migration: true }),
        sidecar(2, {
          stateChanges: { contractStateChanges: [{ storageChanges: [{ valueWritten: { value: Buffer.alloc(1) } }] }] },
        }),
      ],
    })

    expect(first).toMatchObject({ contractActions: [], contractBytecode: [], contractStateChanges: [] })
    expect(second!.contractActions).toMatchObject([
      { migration: false, actions: { contractActions: [{ gas: 5n, callDepth: 1 }] } },
    ])
    expect(second!.contractBytecode).toMatchObject([
      { migration: true, bytecode: { initcode: Buffer.from('60', 'hex') } },
    ])
    expect(second!.contractStateChanges).toMatchObject([
      { stateChanges: { contractStateChanges: [{ storageChanges: [{ valueWritten: Buffer.alloc(1) }] }] } },
    ])
  })

  it.each([
    ['of no transaction', sidecar(5, { actions }), 'a sidecar record of no transaction in the block'],
    [
      'with unknown fields',
      Buffer.concat([sidecar(1, { actions }), Buffer.from('f80101', 'hex')]),
      'unknown fields in a sidecar record',
    ],
    ['of an unknown kind', sidecar(1, {}), 'unknown fields in a sidecar record'],
    ['that cannot be read', Buffer.from('ff', 'hex'), 'an unreadable sidecar record'],
  ])('%s are kept as bytes', (_what, bytes, reason) => {
    const [event] = eventsOf([item({ at: 1 })], { sidecarRecords: [bytes] })

    expect(event!.unparsed).toEqual({ transaction: null, record: null, sidecars: [bytes], reason })
  })

  it('of a block without transactions are an error', () => {
    const block = { items: [], sidecarRecords: [sidecar(1, { actions })], blockNumber: 1n, keepRawBytes: false }

    expect(() => [...transactionEvents(block)]).toThrow(expect.objectContaining({ code: 'sidecar_mismatch' }))
  })
})

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
