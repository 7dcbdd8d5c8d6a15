import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'

/** The EVM addresses of the contracts of logs: their own, or the one that their number stands for. */
export async function findAddressesOf(
  logs: readonly Pick<FoundLog, 'contractId'>[],
  { rows: { 'contract-logs': rows } }: Pick<LogContext, 'rows'>,
): Promise<(contractId: bigint) => Uint8Array> {
  const ids = [...new Set(logs.map(({ contractId }) => contractId))]
  const named =
    ids.length === 0
      ? []
      : await rows.get(
          'namedEntities',
          ids.map((id) => [id] as const),
          ['evmAddress'],
        )
  const addresses = new Map(ids.map((id, index) => [id, named[index]?.evmAddress ?? longZeroAddress(id)]))
  return (id) => addresses.get(id) ?? longZeroAddress(id)
}
