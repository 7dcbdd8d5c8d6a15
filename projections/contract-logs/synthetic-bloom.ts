import { addSyntheticBloom, unpackDigits } from '#projections/contract-logs/packing/digits.ts'
import { type LogRow, logKind, type OpenItemRow } from '#projections/contract-logs/schema.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'
import { bloomBytes } from '#src/domain/log-bloom.ts'

/** The contract that an item's logs are shown with where that is the one that was called; tokens have no address of their own. */
export function shownContract(host: OpenItemRow, item: OpenItemRow): bigint | undefined {
  return host.place === item.place || host.callContract === 0n ? undefined : host.callContract
}

/** The filter of those of some logs that were made; undefined where there are none. */
export function bloomOfSynthetic(
  logs: readonly LogRow[],
  addressOf: (contract: bigint) => Uint8Array | null | undefined,
): Uint8Array | undefined {
  let bloom: Buffer | undefined
  for (const { kind, contractId, digits } of logs) {
    if (kind === logKind.recorded) continue
    bloom ??= Buffer.alloc(bloomBytes)
    const address = addressOf(contractId)
    addSyntheticBloom(bloom, unpackDigits(digits).bloom, address ? hexOf(address) : longZeroDigits(contractId))
  }
  return bloom
}
