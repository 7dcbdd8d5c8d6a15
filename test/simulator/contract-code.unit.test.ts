import { createEVM, type EVM } from '@ethereumjs/evm'
import { Account, createAddressFromString } from '@ethereumjs/util'
import {
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
} from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { LedgerHistory } from '#src/simulator/ledger-history.ts'
import { createNetwork } from '#src/simulator/network.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { type ReadItem, readBlock } from '#test/simulator/read-back.ts'

/** The network's own contract for tokens; here it is a stub that answers with a code. */
const tokenService = `${'0'.repeat(37)}167`
const unitsOfGas = 10_000_000n

interface Call {
  readonly item: ReadItem
  readonly time: bigint
  readonly result: Message
  readonly created: boolean
}

/** A call within a call; of a creation nothing is compared but who creates. */
interface Traced {
  readonly depth: number
  readonly from: string
  readonly to?: string
  readonly input?: string
  readonly value: number
}

let calls: Call[] = []
let items: ReadItem[] = []
let sidecars = new Map<bigint, Message[]>()
const history = new LedgerHistory()

beforeAll(async () => {
  const contracts = { contractCall: 20, contractCallWithChildren: 8, contractLazyCreate: 1, approvedTransfer: 6 }
  const ethereum = { ethereumCall: 15, ethereumCreate: 2, ethereumDelegation: 1, contractCreate: 2 }
  const others = { tokenCreate: 1, tokenTransfer: 3, cryptoApproveAllowance: 6, cryptoCreate: 1 }
  const mix = {
    weights: { ...contracts, ...ethereum, ...others },
    failureShare: 0.15,
    duplicateShare: 0.02,
    showEachKind: true,
  }
  const options = { mix, seed: 'contract code', nodes: 1, accounts: 60, transactionsPerSecond: 25 }
  const network = createNetwork(options, undefined, history)
  const blocks = (await nextBlocks(network, 25)).map(readBlock)
  items = blocks.flatMap((block) => [...block.items])
  sidecars = Map.groupBy(
    blocks.flatMap((block) => block.sidecars),
    ({ consensusTimestamp }) => nanosOf(consensusTimestamp),
  )
  calls = items.flatMap(callOf)
})

function callOf(item: ReadItem): Call[] {
  const { record } = item
  const created = 'contractCreateResult' in record
  const result = (record['contractCreateResult'] ?? record['contractCallResult']) as Message | undefined
  const own = ['contractCall', 'contractCreateInstance', 'ethereumTransaction'].includes(item.kind)
  if (!result || !own || record['parentConsensusTimestamp']) return []
  // What was asked for stands in the body, but of an Ethereum transaction.
  const { amount, initialBalance: value = amount, functionParameters } = item.body[item.kind] as Message
  const asked = { amount: value, functionParameters, ...result }
  return [{ item, time: nanosOf(record['consensusTimestamp']), result: asked, created }]
}

const nanosOf = (time: unknown): bigint => {
  const { seconds, nanos = 0 } = time as { seconds: number; nanos?: number }
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}
const hex = (bytes: unknown) => Buffer.from((bytes ?? []) as Uint8Array).toString('hex')
const longZero = (num: number) => num.toString(16).padStart(40, '0')
const numOf = (id: unknown) => Number((id as Message)['contractNum'] ?? (id as Message)['accountNum'])
const addressOf = (num: number) => history.now().entity(num)?.evmAddress ?? longZero(num)
const address = (digits: string) => createAddressFromString(`0x${digits}`)
const word = (digits: string) => Buffer.from(digits.padStart(64, '0'), 'hex')

interface Watched {
  readonly evm: EVM
  /** Of the newest call, in their order. */
  readonly traced: Traced[]
  /** Slots that the newest call read or wrote, as `address/slot`. */
  readonly slots: Set<string>
}

/** An EVM that everything is executed in again, in the order of the ledger. */
async function openEvm(): Promise<Watched> {
  const evm = await createEVM()
  const traced: Traced[] = []
  const slots = new Set<string>()
  evm.events.on('beforeMessage', ({ depth, caller, to, data, value }) => {
    const creates = to === undefined
    const input = creates ? {} : { to: hex(to.bytes), input: hex(data) }
    traced.push({ depth, from: hex(caller.bytes), value: Number(value), ...input })
  })
  evm.events.on('step', ({ opcode, stack, address: self }) => {
    if (!['SLOAD', 'SSTORE'].includes(opcode.name)) return
    slots.add(`${hex(self.bytes)}/${stack.at(-1)!.toString(16).padStart(64, '0')}`)
  })
  return { evm, traced, slots }
}

/** The stub: PUSH2 code, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
async function answerWith(evm: EVM, code: number): Promise<void> {
  const digits = `61${code.toString(16).padStart(4, '0')}5f5260205ff3`
  await evm.stateManager.putCode(address(tokenService), Buffer.from(digits, 'hex'))
}

/** Runs the code of a call again; a creation as a call of its init code at the address that the contract got. */
async function runAgain({ evm, traced, slots }: Watched, { item, time, result, created }: Call) {
  const initcode = created ? initcodeOf(item, time) : undefined
  const target = address('contractID' in result ? addressOf(numOf(result['contractID'])) : 'ff'.repeat(20))
  const child = items.find(({ kind, record }) => kind === 'cryptoTransfer' && isChildOf(record, item))
  const answer = child && (child.record['contractCallResult'] as Message)['contractCallResult']
  await answerWith(evm, Number(`0x${answer ? hex(answer) : '16'}`))
  const caller = address(addressOf(numOf(result['senderId'])))
  await evm.stateManager.putAccount(caller, new Account(0n, 10n ** 18n))
  if (initcode) {
    await evm.stateManager.putAccount(target, new Account(1n, 0n))
    await evm.stateManager.putCode(target, initcode)
  }
  traced.length = 0
  slots.clear()
  const { execResult } = await evm.runCall({
    caller,
    to: target,
    value: BigInt((result['amount'] as number | undefined) ?? 0),
    data: initcode ? new Uint8Array() : ((result['functionParameters'] ?? new Uint8Array()) as Uint8Array),
    gasLimit: unitsOfGas,
    // Of the block's header the contracts look at nothing but its time.
    block: { header: { timestamp: time / 1_000_000_000n } } as never,
  })
  const failed = execResult.exceptionError !== undefined
  if (initcode) await evm.stateManager.putCode(target, failed ? new Uint8Array() : execResult.returnValue)
  return { output: hex(execResult.returnValue), failed, logs: execResult.logs ?? [] }
}

/** A contract that an Ethereum transaction makes comes into being with a child of it. */
function initcodeOf(item: ReadItem, time: bigint): Uint8Array {
  const child = items.find(({ kind, record }) => kind === 'contractCreateInstance' && isChildOf(record, item))
  const ofChild = item.kind === 'ethereumTransaction' && child
  return sidecarOf(ofChild ? nanosOf(child.record['consensusTimestamp']) : time, 'bytecode')!['initcode'] as Uint8Array
}

function isChildOf(record: Message, parent: ReadItem): boolean {
  const time = record['parentConsensusTimestamp']
  return time !== undefined && nanosOf(time) === nanosOf(parent.record['consensusTimestamp'])
}

function sidecarOf(time: bigint, kind: string): Message | undefined {
  return sidecars.get(time)?.find((sidecar) => kind in sidecar)?.[kind] as Message | undefined
}

/** Storage as the sidecar tells it: what each slot held before the call, and after it. */
function storageAt(time: bigint): { readonly slot: string; readonly before: string; readonly after: string }[] {
  const contracts = (sidecarOf(time, 'stateChanges')?.['contractStateChanges'] ?? []) as Message[]
  return contracts.flatMap(({ contractId, storageChanges }) =>
    (storageChanges as Message[]).map(({ slot, valueRead, valueWritten }) => {
      const before = word(hex(valueRead)).toString('hex')
      const after = valueWritten ? word(hex((valueWritten as Message)['value'])).toString('hex') : before
      return { slot: `${addressOf(numOf(contractId))}/${hex(slot).padStart(64, '0')}`, before, after }
    }),
  )
}

async function storedAt(evm: EVM, slot: string): Promise<string> {
  const [contract = '', key = ''] = slot.split('/')
  return hex(await evm.stateManager.getStorage(address(contract), Buffer.from(key, 'hex'))).padStart(64, '0')
}

function actionsAt(time: bigint): Traced[] {
  const actions = sidecarOf(time, 'actions')!['contractActions'] as Message[]
  return actions.map((action) => {
    const creates = action['callType'] === 2
    const recipient = action['recipientContract'] ?? action['recipientAccount']
    const input = creates ? {} : { to: addressOf(numOf(recipient)), input: hex(action['input']) }
    const from = addressOf(numOf(action['callingContract'] ?? action['callingAccount']))
    const [depth, value] = [action['callDepth'], action['value']].map((number) => Number(number ?? 0))
    return { depth: depth!, from, value: value!, ...input }
  })
}

/** Whether some of its code had too little gas, of which there is plenty here. */
function isShort(time: bigint): boolean {
  const actions = sidecarOf(time, 'actions')!['contractActions'] as Message[]
  return actions.some((action) => 'error' in action)
}

/** Without those of the ledger's own tokens, which the network adds. */
function logsOf({ logInfo = [] }: Message) {
  return (logInfo as Message[])
    .map(({ contractID, topic, data }) => ({ num: numOf(contractID), topics: (topic as []).map(hex), data: hex(data) }))
    .filter(({ num }) => history.now().entity(num)?.type === 'CONTRACT')
    .map(({ num, ...log }) => ({ address: addressOf(num), ...log }))
}

describe('what records and sidecars say of a call', () => {
  it('is what an EVM makes of the code of the contracts', { timeout: 120_000 }, async () => {
    const watched = await openEvm()
    const selectors = new Set<string>()
    for (const call of calls) {
      const { result, time, created } = call
      if (isShort(time)) continue
      const told = storageAt(time)
      const stored = () => Promise.all(told.map(({ slot }) => storedAt(watched.evm, slot)))
      expect({ time, before: await stored() }).toEqual({ time, before: told.map(({ before }) => before) })
      const { output, failed, logs } = await runAgain(watched, call)
      expect({ time, output, failed }).toEqual({
        time,
        output: hex(result['contractCallResult']),
        failed: 'errorMessage' in result,
      })
      const logged = logs.map(([by, topics, data]) => ({ address: hex(by), topics: topics.map(hex), data: hex(data) }))
      expect({ time, logs: failed ? [] : logged }).toEqual({ time, logs: logsOf(result) })
      expect({ time, after: await stored() }).toEqual({ time, after: told.map(({ after }) => after) })
      if (!failed) expect([...watched.slots].sort()).toEqual(told.map(({ slot }) => slot).sort())
      // What creates from outside is run as a call here.
      const below = ({ depth }: Traced) => depth > 0 || !created
      expect({ time, actions: actionsAt(time).filter(below) }).toEqual({ time, actions: watched.traced.filter(below) })
      selectors.add(
        created ? `${hex(result['contractCallResult']).length} ` : hex(result['functionParameters']).slice(0, 8),
      )
    }
    // Four contracts and a refused one, eleven functions, and hbar without a word.
    expect(selectors.size).toBe(5 + 11 + 1)
  })
})

describe('Ethereum transactions', () => {
  const transactions = () => calls.filter(({ item }) => item.kind === 'ethereumTransaction')

  it('are signed by the senders whose nonces they count, also with their data in a file', async () => {
    const nonces = new Map<string, number>()
    const seen = new Set<string>()
    for (const { item, result } of transactions()) {
      const sender = addressOf(numOf(result['senderId']))
      const raw = rawOf(item)
      const { type, nonce = 0, chainId, authorizationList = [] } = parseTransaction(raw)
      expect(keccak256(raw)).toBe(`0x${hex(item.record['ethereumHash'])}`)
      const serializedTransaction = raw as TransactionSerialized
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(getAddress(`0x${sender}`))
      expect({ sender, nonce }).toEqual({ sender, nonce: nonces.get(sender) ?? 0 })
      nonces.set(sender, nonce + 1)
      for (const authorization of authorizationList) {
        const authority = (await recoverAuthorizationAddress({ authorization })).slice(2).toLowerCase()
        expect({ authority, nonce: authorization.nonce }).toEqual({ authority, nonce: nonces.get(authority) ?? 0 })
        nonces.set(authority, authorization.nonce + 1)
      }
      const signerNonce = Number((result['signerNonce'] as Message)['value'])
      expect({ sender, signerNonce }).toEqual({ sender, signerNonce: nonces.get(sender) })
      const inFile = 'callData' in (item.body['ethereumTransaction'] as Message)
      seen.add(`${type}${chainId === undefined ? ' for all chains' : ''}${inFile ? ' with a file' : ''}`)
    }
    const types = ['legacy', 'legacy for all chains', 'eip2930', 'eip1559', 'eip7702']
    expect([...seen].filter((kind) => !kind.endsWith('file')).sort()).toEqual(types.sort())
    expect([...seen].some((kind) => kind.endsWith('file'))).toBe(true)
  })

  /** As the sender signed it: data from a file is put back. */
  function rawOf({ body }: ReadItem): Hex {
    const { ethereumData, callData } = body['ethereumTransaction'] as Message
    const raw: Hex = `0x${hex(ethereumData)}`
    if (!callData) return raw
    const { r, s, v, yParity, ...transaction } = parseTransaction(raw)
    const signature = { r: r!, s: s!, ...(v === undefined ? {} : { v }), yParity: yParity! }
    return serializeTransaction({ ...transaction, data: textOf(Number((callData as Message)['fileNum'])) }, signature)
  }

  function textOf(file: number): Hex {
    const created = items.findIndex(({ record }) => {
      const { fileID } = record['receipt'] as Message
      return fileID && (fileID as Message)['fileNum'] === file
    })
    const ofFile = ({ kind, body }: ReadItem) =>
      kind === 'fileAppend' && ((body[kind] as Message)['fileID'] as Message)['fileNum'] === file
    const appended = items.filter(ofFile).map(({ body }) => (body['fileAppend'] as Message)['contents'])
    const first = (items[created]!.body['fileCreate'] as Message)['contents']
    return `0x${[first, ...appended].map((piece) => Buffer.from(piece as Uint8Array).toString()).join('')}`
  }
})
