import { isOfToken } from '#projections/contract-logs/packing/digits.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'

/** The EVM addresses of the contracts of logs as hex digits: their own, or the one that their number stands for. */
export async function findAddressesOf(
  logs: readonly Pick<FoundLog, 'contractId' | 'digits'>[],
  { rows: { 'contract-logs': rows } }: Pick<LogContext, 'rows'>,
): Promise<(contractId: bigint) => string> {
  const ids = [...new Set(logs.filter(({ digits }) => !isOfToken(digits)).map(({ contractId }) => contractId))]
  if (ids.length === 0) return longZeroDigits
  const keys = ids.map((id) => [id] as const)
  const named = await rows.get('namedEntities', keys, ['evmAddress'])
  const addresses = new Map(ids.map((id, index) => [id, digitsOf(id, named[index]?.evmAddress)]))
  return (id) => addresses.get(id) ?? longZeroDigits(id)
}

function digitsOf(id: bigint, address: Uint8Array | null | undefined): string {
  return address ? asBuffer(address).toString('hex') : longZeroDigits(id)
}
