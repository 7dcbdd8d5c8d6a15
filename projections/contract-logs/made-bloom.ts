import type { LogRow, OpenItemRow } from '#projections/contract-logs/schema.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { addToBloom, bloomBytes } from '#src/domain/log-bloom.ts'

/** The contract that an item's logs are shown with where that is the one that was called; tokens have no address of their own. */
export function shownContract(host: OpenItemRow, item: OpenItemRow): bigint | undefined {
  return host.place === item.place || host.callContract === 0n ? undefined : host.callContract
}

/** The filter of all logs of a block that were made; undefined where there are none. */
export function bloomOfMade(
  logs: readonly LogRow[],
  addressOf: (contract: bigint) => Uint8Array | null | undefined,
): Uint8Array | undefined {
  let bloom: Buffer | undefined
  for (const log of logs) {
    if (log.synthetic === 0) continue
    bloom ??= Buffer.alloc(bloomBytes)
    const { contractId, topic0, topic1, topic2, topic3 } = log
    addToBloom(bloom, addressOf(contractId) ?? longZeroAddress(contractId), [topic0, topic1, topic2, topic3])
  }
  return bloom
}
