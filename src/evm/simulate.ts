import type { Log } from '@ethereumjs/evm'
import { createAddressFromString } from '@ethereumjs/util'
import { hexOf } from '#src/domain/bytes.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import { pay } from '#src/evm/call-parties.ts'
import type { CallRequest, CallSettings } from '#src/evm/call-request.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { type BlockOverride, overrideBlock, overrideState, type StateOverride } from '#src/evm/overrides.ts'
import { type Run, runOn } from '#src/evm/run-call.ts'
import { type SimulatedLog, TransferEvm, transferLog } from '#src/evm/transfer-evm.ts'
import { World } from '#src/evm/world.ts'

/** Calls that are run as one block, each on what those before it left. */
export interface SimulatedBlock {
  readonly block: BlockOverride | undefined
  readonly overrides: readonly StateOverride[]
  readonly calls: readonly CallRequest[]
}

export interface SimulatedCall {
  readonly isSuccess: boolean
  readonly gasUsed: bigint
  readonly returned: Uint8Array
  readonly logs: readonly SimulatedLog[]
  readonly blockNumber: bigint
  readonly transactionIndex: number
  /** 32 bytes each, as hex digits. */
  readonly blockHash: string
  readonly transactionHash: string
}

const wordBytes = 32
const countBytes = 8

/** Runs blocks of calls, each one further than the one before. What a call left is there for the next; what gas cost is given back. */
export async function simulate(
  blocks: readonly SimulatedBlock[],
  state: LedgerState,
  settings: CallSettings,
  tracesTransfers: boolean,
): Promise<SimulatedCall[]> {
  const world = new World({ state, allAreRich: !settings.validatePayerBalance })
  const anchor = await state.block()
  const done: SimulatedCall[] = []
  let number = anchor.number
  for (const [place, { block, overrides, calls }] of blocks.entries()) {
    number = block?.number ?? number
    world.state = overrideBlock(state, { number, time: block?.time })
    await overrideState(world, overrides)
    const isAnchor = place === 0 && number === anchor.number
    const start = hexOf(anchor.hash, 0, wordBytes)
    const blockHash = isAnchor ? start : hashOf(start, place)
    for (const [transactionIndex, call] of calls.entries()) {
      const ended = await runNext(world, call, settings, tracesTransfers)
      const transactionHash = hashOf(hexOf(ended.returned), done.length)
      done.push({ ...ended, blockNumber: number, blockHash, transactionIndex, transactionHash })
    }
    number += 1n
  }
  return done
}

type EndedCall = Pick<SimulatedCall, 'isSuccess' | 'gasUsed' | 'returned' | 'logs'>

async function runNext(
  world: World,
  call: CallRequest,
  settings: CallSettings,
  tracesTransfers: boolean,
): Promise<EndedCall> {
  const run = await runOn(world, call, settings, { openEvm: (options) => new TransferEvm(options) })
  await leave(world, run)
  const { response, gasUsed, output, data } = run.result
  const isSuccess = response === 'SUCCESS'
  const returned = isSuccess ? output : Buffer.from(data.replace(/^0x/, ''), 'hex')
  const transfers = tracesTransfers && isSuccess && run.ran?.evm instanceof TransferEvm ? run.ran.evm.transfers : []
  return { isSuccess, gasUsed, returned, logs: [...run.logs.map(logOf), ...transfers.map(transferLog)] }
}

/** What the next call finds: contracts that destroyed themselves are gone, and gas cost nothing. */
async function leave(world: World, { ran, paid, destroyed }: Run): Promise<void> {
  if (ran === undefined) return
  for (const address of destroyed) await world.deleteAccount(createAddressFromString(address))
  await pay(world, ran.sender, -paid)
  await world.endTransaction()
}

function logOf([address, topics, data]: Log): SimulatedLog {
  return { address, topics, data }
}

/** Something that is nobody else's hash: nothing like it ever was on the ledger. */
function hashOf(digits: string, place: number): string {
  const seed = Buffer.alloc(digits.length / 2 + countBytes)
  seed.write(digits, 'hex')
  seed.writeBigUInt64BE(BigInt(place), digits.length / 2)
  return hexOf(keccak256(seed))
}
