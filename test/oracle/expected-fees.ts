import { type Message, messageType } from '#src/simulator/codec.ts'
import type { LedgerView } from '#src/simulator/ledger-view.ts'
import { timeOf } from '#test/oracle/expected-account.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

const kinds = ['ContractCall', 'ContractCreate', 'EthereumTransaction']

/** The exchange rates as the network itself knows them. */
export function expectedRates(view: LedgerView): Json {
  const { since, file } = fileOf(112, 'proto.ExchangeRateSet', view)
  const shown = ({ hbarEquiv, centEquiv, expirationTime }: Json) => ({
    cent_equivalent: centEquiv,
    expiration_time: Number(expirationTime.seconds),
    hbar_equivalent: hbarEquiv,
  })
  return { current_rate: shown(file.currentRate), next_rate: shown(file.nextRate), timestamp: timeOf(since) }
}

/** What gas costs at a time, or when the schedule was written. */
export function expectedGas(view: LedgerView, time?: bigint): Json {
  const { since, file } = fileOf(111, 'proto.CurrentAndNextFeeSchedule', view)
  const { file: rates } = fileOf(112, 'proto.ExchangeRateSet', view)
  const at = time ?? since
  const isOver = (seconds: string) => at > BigInt(seconds) * 1_000_000_000n
  const schedule = isOver(file.currentFeeSchedule.expiryTime.seconds) ? file.nextFeeSchedule : file.currentFeeSchedule
  const rate = isOver(rates.currentRate.expirationTime.seconds) ? rates.nextRate : rates.currentRate
  const fees = kinds.map((kind) => {
    const entry = schedule.transactionFeeSchedule.find((each: Json) => each.hederaFunctionality === kind)
    const tinycents = Math.floor(Number(entry.fees[0].servicedata.gas) / 1_000)
    return { gas: Math.floor((tinycents * rate.hbarEquiv) / rate.centEquiv), transaction_type: kind }
  })
  return { fees, timestamp: timeOf(since) }
}

function fileOf(number: number, message: string, view: LedgerView): { since: bigint; file: Json } {
  const row = view.row('networkFiles', number)
  if (row === undefined) throw new Error(`the network has no file ${number} at ${view.time}`)
  const type = messageType(message)
  const file: Message = type.toObject(type.decode(Buffer.from(row.contents, 'hex')), { longs: String, enums: String })
  return { since: row.since, file }
}
