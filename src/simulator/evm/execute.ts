import { type AskedCall, gasLimitOf, intrinsicGas } from '#src/simulator/evm/asked-call.ts'
import { codeWith } from '#src/simulator/evm/code.ts'
import { type Frame, hasFailed, isCreation, partyAt } from '#src/simulator/evm/frame.ts'
import type { Log } from '#src/simulator/evm/function-result.ts'
import type { Machine, MachineFrame, MachineRun } from '#src/simulator/evm/machine.ts'
import { tokenChanges } from '#src/simulator/evm/token.ts'
import { accountGas } from '#src/simulator/fees.ts'
import { addressOfNext, type ContractCreation, newContract } from '#src/simulator/kinds/new-contract.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

/** One word of storage that was looked at, or changed; hex without leading zeros. */
export interface SlotAccess {
  /** 64 digits. */
  readonly slot: string
  readonly before: string
  readonly after: string
}

/** A call from outside that ran, and all that it did. */
export interface Execution {
  readonly asked: AskedCall
  readonly gas: number
  readonly gasUsed: number
  /** In the order in which they began; the first is what was asked for. */
  readonly frames: readonly [Frame, ...Frame[]]
  /** In the order in which they came. */
  readonly logs: readonly Log[]
  /** By number of the contract. */
  readonly storage: ReadonlyMap<number, readonly SlotAccess[]>
  /** Contracts that made others. */
  readonly makers: readonly Contract[]
  /** What those who watch can know besides. */
  readonly changes: readonly LedgerChange[]
}

/** Of what storage gives back, at most a fifth of the gas used. */
const refundShare = 5
const machines = new WeakMap<World, Promise<Machine>>()

/** Runs a call, and does to the ledger what it does, but for hbar, which move when it is written down. */
export async function execute(world: World, asked: AskedCall): Promise<Execution> {
  const machine = await machineOf(world)
  const gas = gasLimitOf(world, asked)
  const intrinsic = intrinsicGas(asked)
  const place = asked.creation ? addressOfNext(world, asked.creation) : ''
  const { newAccount } = asked
  const run = await machine.run({
    caller: asked.caller.address,
    to: asked.recipient?.address,
    place,
    input: asked.input,
    value: asked.value ?? 0,
    gas: gas - intrinsic,
    services: asked.services ?? [],
    newAccount: newAccount && { address: newAccount.account.evmAddress ?? '', gas: accountGas },
  })
  const spent = intrinsic + run.gasUsed
  markUndone(run.frames)
  const failed = hasFailed(run.frames[0]!)
  const gasUsed = failed ? spent : spent - Math.min(run.refund, Math.floor(spent / refundShare))
  const creations = failed ? new Map<string, ContractCreation>() : await makeContracts(world, machine, asked, run)
  const makers = failed ? [] : await countMakers(world, machine, run)
  const storage = failed ? new Map<number, SlotAccess[]>() : store(world, machine)
  const frames = run.frames.map((frame) => frameOf(world, asked, frame, creations)) as [Frame, ...Frame[]]
  const logs = failed ? [] : logsOf(world, run)
  const changes = tokenChanges(world, frames, logs)
  return { asked, gas, gasUsed, frames, logs, storage, makers, changes }
}

/** The machine comes with the first call: it is big. */
function machineOf(world: World): Promise<Machine> {
  const known = machines.get(world)
  if (known) return known
  const opened = import('#src/simulator/evm/machine.ts').then(({ Machine }) => new Machine(world))
  machines.set(world, opened)
  return opened
}

function markUndone(frames: readonly MachineFrame[]): void {
  for (const frame of frames) frame.undone = hasFailed(frame) || (frame.parent?.undone ?? false)
}

/** New contracts get numbers in the order in which they were begun. */
async function makeContracts(world: World, machine: Machine, asked: AskedCall, { frames }: MachineRun) {
  const made = new Map<string, ContractCreation>()
  for (const frame of frames) {
    if (frame.undone || !isCreation(frame) || !('output' in frame.end)) continue
    const terms = frame.depth === 0 ? asked.creation : { memo: asked.memo ?? '' }
    const code = codeWith(await machine.codeAt(frame.code))
    const nonce = await machine.nonceAt(frame.code)
    made.set(frame.code, newContract(world, { ...terms, code, evmAddress: frame.code, nonce }))
  }
  return made
}

/** Those that were there before, and whose count is another one now. */
async function countMakers(world: World, machine: Machine, { frames }: MachineRun): Promise<Contract[]> {
  const makers = new Map<number, Contract>()
  for (const frame of frames) {
    const address = isCreation(frame) && frame.parent?.to
    const contract = address ? contractAt(world, address) : undefined
    if (!contract || !address) continue
    const nonce = await machine.nonceAt(address)
    if (nonce === contract.nonce) continue
    contract.nonce = nonce
    makers.set(contract.num, contract)
  }
  return [...makers.values()]
}

function contractAt(world: World, address: string): Contract | undefined {
  const num = world.numAt(address)
  return num === undefined ? undefined : world.recentContract(num)
}

/** Takes over what was written. */
function store(world: World, machine: Machine): Map<number, SlotAccess[]> {
  const storage = new Map<number, SlotAccess[]>()
  for (const access of machine.accesses()) {
    const contract = contractAt(world, access.address)
    if (!contract) continue
    const { slot, before, after } = access
    if (after === '') delete contract.slots[slot]
    else contract.slots[slot] = after
    const known = storage.get(contract.num) ?? []
    storage.set(contract.num, known)
    known.push({ slot, before, after })
  }
  return storage
}

function frameOf(
  world: World,
  { newAccount }: AskedCall,
  frame: MachineFrame,
  creations: ReadonlyMap<string, ContractCreation>,
): Frame {
  const { operation, depth, input, value, gas, gasUsed, end, undone, answer } = frame
  const creation = isCreation(frame) ? creations.get(frame.code) : undefined
  const child = answer?.child ?? (frame.isLazy ? newAccount?.child : undefined)
  return {
    operation,
    depth,
    caller: partyAt(world, frame.caller),
    recipient: isCreation(frame) && !creation ? undefined : partyAt(world, frame.code),
    input,
    value,
    gas,
    gasUsed,
    end,
    undone,
    ...(creation ? { creation } : {}),
    ...(child ? { child } : {}),
  }
}

/** Those of code, and after each frame in which the network's own contract told some, those. */
function logsOf(world: World, { logs }: MachineRun): Log[] {
  return logs.map(({ address, topics, data }) => {
    const party = partyAt(world, address)
    if (!party) throw new TypeError(`nobody has the address ${address} that logged`)
    return { contract: party.num, topics, data }
  })
}
