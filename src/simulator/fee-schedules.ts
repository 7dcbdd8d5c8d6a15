import { type Functionality, functionalities } from '#src/domain/functionalities.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import type { Instant } from '#src/simulator/time.ts'

const hourSeconds = 3_600
/** Thousandths of a tinycent for a unit of gas: 71 tinybars at 12 US cents an hbar. */
const gasPrice = 852_000
const gasKinds: readonly Functionality[] = ['ContractCall', 'ContractCreate', 'EthereumTransaction']

/** A CurrentAndNextFeeSchedule: gas costs something else every hour, a little more than it would without. */
export function feeSchedules({ seconds }: Instant): Uint8Array {
  const hour = Math.floor(seconds / hourSeconds)
  return encode('proto.CurrentAndNextFeeSchedule', {
    currentFeeSchedule: scheduleOf(hour),
    nextFeeSchedule: scheduleOf(hour + 1),
  })
}

function scheduleOf(hour: number): Message {
  const kinds = Object.keys(functionalities) as Functionality[]
  return {
    transactionFeeSchedule: kinds.map((kind) => ({
      hederaFunctionality: functionalities[kind],
      fees: [feesOf(kind, hour)],
    })),
    expiryTime: { seconds: (hour + 1) * hourSeconds },
  }
}

/** Prices of everything but gas are those of one size for all. */
function feesOf(kind: Functionality, hour: number): Message {
  const size = { max: 1_000_000_000_000_000, constant: 7_574_478, bpt: 12_109, vpt: 30_273_301, rbh: 8, sbh: 1 }
  const gas = gasKinds.includes(kind) ? gasPrice + gasKinds.indexOf(kind) * 50_000 + (hour % 97) * 1_000 : 0
  return { nodedata: size, networkdata: size, servicedata: { ...size, gas } }
}
