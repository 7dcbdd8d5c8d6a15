import { readSimpleFees } from '#src/domain/network-files/simple-fees.ts'
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

/** What gas costs at a time, or when the fees were written: every kind the same. */
export function expectedGas(view: LedgerView, time?: bigint): Json {
  const { since, contents } = rowOf(113, view)
  const { file: rates } = fileOf(112, 'proto.ExchangeRateSet', view)
  const isOver = (time ?? since) > BigInt(rates.currentRate.expirationTime.seconds) * 1_000_000_000n
  const rate = isOver ? rates.nextRate : rates.currentRate
  const tinycents = Number(readSimpleFees(Buffer.from(contents, 'hex')).unitFees.get('GAS'))
  const gas = Math.floor((tinycents * rate.hbarEquiv) / rate.centEquiv)
  return { fees: kinds.map((kind) => ({ gas, transaction_type: kind })), timestamp: timeOf(since) }
}

function fileOf(number: number, message: string, view: LedgerView): { since: bigint; file: Json } {
  const { since, contents } = rowOf(number, view)
  const type = messageType(message)
  const file: Message = type.toObject(type.decode(Buffer.from(contents, 'hex')), { longs: String, enums: String })
  return { since, file }
}

function rowOf(number: number, view: LedgerView) {
  const row = view.row('networkFiles', number)
  if (row === undefined) throw new Error(`the network has no file ${number} at ${view.time}`)
  return row
}
