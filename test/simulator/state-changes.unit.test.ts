import { beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { LedgerHistory } from '#src/simulator/ledger-history.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import { createNetwork } from '#src/simulator/network.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { type ReadItem, readBlock } from '#test/simulator/read-back.ts'

let items: ReadItem[] = []
let sidecars: Message[] = []
const history = new LedgerHistory()

beforeAll(async () => {
  const { weights, ...shares } = mixPresets.default
  const more = {
    cryptoUpdate: 15,
    cryptoDelete: 5,
    cryptoCreate: 4,
    autoCreateTransfer: 4,
    hookCreate: 8,
    hookTransfer: 8,
    cryptoApproveAllowance: 15,
    approvedTransfer: 15,
  }
  const some = { hollowCompletion: 2, ethereumDelegation: 2, hookStore: 4, hookDelete: 2, registeredNodeCreate: 1 }
  const mix = { ...shares, weights: { ...weights, ...more, ...some } }
  const options = { mix, seed: 'state changes', nodes: 1, accounts: 60, transactionsPerSecond: 25, dayBlocks: 10 }
  const network = createNetwork(options, undefined, history)
  const blocks = (await nextBlocks(network, 70)).map(readBlock)
  items = blocks.flatMap((block) => [...block.items])
  sidecars = blocks.flatMap((block) => [...block.sidecars])
})

const nonceOf = ({ record }: ReadItem) => Number((record['transactionID'] as Message)['nonce'] ?? 0)
const succeeded = ({ record }: ReadItem) => Number((record['receipt'] as Message)['status']) === 22
const bodyOf = ({ body, kind }: ReadItem) => body[kind] as Message
const nanosOf = (time: unknown): bigint => {
  const { seconds, nanos = 0 } = time as { seconds: number; nanos?: number }
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}
const timeOf = ({ record }: ReadItem) => nanosOf(record['consensusTimestamp'])
const hex = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString('hex')
const of = (kind: string) => items.filter((item) => item.kind === kind && succeeded(item))
const createdNum = ({ record }: ReadItem) =>
  Number(((record['receipt'] as Message)['accountID'] as Message)['accountNum'])

describe('what the simulated network writes when state changes', () => {
  it('creates accounts by alias in a child before the transfer, hollow ones with the empty key', () => {
    const children = of('cryptoCreateAccount').filter(
      (item) => nonceOf(item) > 0 && !item.record['parentConsensusTimestamp'],
    )
    const hollow = children.filter((child) => hex(bodyOf(child)['alias']).length === 40)
    expect(hollow.length).toBeGreaterThan(3)
    expect(children.length).toBeGreaterThan(hollow.length)
    for (const child of children) {
      const entity = history.at(timeOf(child)).entity(createdNum(child))
      expect(entity).toMatchObject({ alias: hex(bodyOf(child)['alias']), createdAt: timeOf(child), deleted: false })
      expect(entity?.key === '3200').toBe(hollow.includes(child))
    }
  })

  it('completes hollow accounts in a child before their first signature', () => {
    const completions = of('cryptoUpdateAccount').filter(
      (item) => nonceOf(item) > 0 && !item.record['parentConsensusTimestamp'],
    )
    expect(completions.length).toBeGreaterThan(0)
    for (const completion of completions) {
      const { accountNum } = bodyOf(completion)['accountIDToUpdate'] as { accountNum: number }
      expect(history.at(timeOf(completion) - 1n).entity(accountNum)?.key).toBe('3200')
      expect(history.at(timeOf(completion)).entity(accountNum)?.key).toMatch(/^3a21/)
    }
  })

  it('lets an alias be used again after its account was deleted', () => {
    const aliases = of('cryptoCreateAccount').map((item) => hex(bodyOf(item)['alias'] ?? []))
    const again = aliases.filter((alias, index) => alias !== '' && aliases.indexOf(alias) < index)
    expect(again.length).toBeGreaterThan(0)
  })

  it('changes keys, terms, stakes, delegations and nonces of accounts', () => {
    const bodies = of('cryptoUpdateAccount').map(bodyOf)
    for (const field of [
      'key',
      'memo',
      'expirationTime',
      'autoRenewPeriod',
      'receiverSigRequiredWrapper',
      'stakedNodeId',
    ])
      expect([field, bodies.some((body) => field in body)]).toEqual([field, true])
    for (const field of ['stakedAccountId', 'declineReward', 'maxAutomaticTokenAssociations', 'delegationAddress'])
      expect([field, bodies.some((body) => field in body)]).toEqual([field, true])
    const delegated = [...history.now().rows('entities').values()].filter(({ delegationAddress }) => delegationAddress)
    expect(delegated.length).toBeGreaterThan(0)
    expect(delegated.every(({ ethereumNonce }) => ethereumNonce >= 1)).toBe(true)
  })

  it('gives each run of a hook one state change of the hook contract, of slots that the history knows', () => {
    const runs = new Map(of('contractCall').map((item) => [timeOf(item), item]))
    const changes = sidecars.flatMap((sidecar) => {
      const list = ((sidecar['stateChanges'] as Message | undefined)?.['contractStateChanges'] ?? []) as Message[]
      return list
        .filter(({ contractId }) => (contractId as Message)['contractNum'] === 365)
        .map((change) => ({ time: nanosOf(sidecar['consensusTimestamp']), change }))
    })
    expect(changes.length).toBeGreaterThan(3)
    for (const { time, change } of changes) {
      expect(runs.get(time)?.record['parentConsensusTimestamp']).toBeDefined()
      const written = (change['storageChanges'] as Message[]).find(({ valueWritten }) => valueWritten) as Message
      const slot = hex(written['slot']).padStart(64, '0')
      const rows = [...history.at(time).rows('hookSlots')].filter(
        ([key, { since }]) => key.endsWith(slot) && since === time,
      )
      expect(rows.map(([, { value }]) => value)).toEqual([hex((written['valueWritten'] as Message)['value'] ?? [])])
    }
  })

  it('logs with a call every fungible token that the call moves', () => {
    const calls = new Map(of('contractCall').map((item) => [timeOf(item), item]))
    const transfers = of('cryptoTransfer').filter(
      ({ record }) => 'contractCallResult' in record && ((record['tokenTransferLists'] ?? []) as []).length > 0,
    )
    const approved = (item: ReadItem) => JSON.stringify(bodyOf(item)).includes('"isApproval":true')
    expect(new Set(transfers.map(approved))).toEqual(new Set([true, false]))
    for (const transfer of transfers) {
      const call = calls.get(nanosOf(transfer.record['parentConsensusTimestamp']))!
      const logs = (call.record['contractCallResult'] as Message)['logInfo'] as Message[]
      const [{ token, transfers: amounts }] = transfer.record['tokenTransferLists'] as [Message]
      const num = (token as Message)['tokenNum']
      const received = (amounts as Message[]).map(({ amount }) => Number(amount)).filter((amount) => amount > 0)
      const logged = logs.filter(({ contractID }) => (contractID as Message)['contractNum'] === num)
      expect(logged.map(({ data }) => Number(`0x${hex(data)}`))).toEqual(received)
    }
  })

  it('lists registered nodes with endpoints of every kind, and nodes that refer to them', () => {
    const endpoints = of('registeredNodeCreate').flatMap((item) => bodyOf(item)['serviceEndpoint'] as Message[])
    for (const kind of ['blockNode', 'mirrorNode', 'rpcRelay', 'generalService', 'ipAddress', 'domainName'])
      expect([kind, endpoints.some((endpoint) => kind in endpoint)]).toEqual([kind, true])
    const nodes = [...history.now().rows('nodes').values()]
    expect(nodes.some(({ associatedRegisteredNodes }) => associatedRegisteredNodes.length > 0)).toBe(true)
  })
})
