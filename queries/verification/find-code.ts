import type { ContractReference, FoundContract } from '#commands/verification/contract-codes.ts'
import { findCreations } from '#queries/verification/find-creations.ts'
import type { CodeRows } from '#queries/verification/reads.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { entityIdOf, formatEntityId } from '#src/domain/entity-id.ts'
import { isLongZero, longZeroDigits } from '#src/domain/evm-address.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** A contract with its code and what it was created by, as of an instant (ns); undefined where none is known. Deleted ones are. */
export async function findContractCode(
  rows: CodeRows,
  { chain, reference, time }: { readonly chain: string; readonly reference: ContractReference; readonly time: bigint },
): Promise<FoundContract | undefined> {
  const id = await findId(rows, reference, time)
  if (id === undefined) return undefined
  const [[entity], [code]] = await Promise.all([
    rows.entities.get('entities', [[id]], ['type', 'createdTimestamp', 'evmAddress']),
    rows.contracts.get('contracts', [[id]], ['fileId', 'initcode', 'runtimeBytecode']),
  ])
  if (entity?.type !== 'CONTRACT') return undefined
  const { createdTimestamp: created, evmAddress } = entity
  return {
    chain,
    entity: formatEntityId(id),
    address: evmAddress === null ? longZeroDigits(id) : hexOf(evmAddress),
    code: {
      runtime: code?.runtimeBytecode ?? undefined,
      creations: code === undefined || created === null ? [] : await findCreations(rows, { id, created, code }),
    },
    asOf: formatLedgerTime(time),
    createdTimestamp: created === null ? null : formatLedgerTime(created),
  }
}

/** A long-zero address is the number itself; of another one, whoever had it last. */
async function findId(rows: CodeRows, reference: ContractReference, time: bigint): Promise<bigint | undefined> {
  if (reference.kind === 'entity') return parseId(reference.id)
  const address = Buffer.from(reference.digits, 'hex')
  if (isLongZero(address)) return entityIdOf(0n, 0n, address.readBigUInt64BE(12))
  const [newest] = await rows.entities.at(time).begun('entityNames', [[address]], ['id'])
  return newest?.id
}

/** The id that `shard.realm.num` writes; undefined: it writes none. */
function parseId(text: string): bigint | undefined {
  const [, shard, realm, number] = /^(\d{1,10})\.(\d{1,10})\.(\d{1,19})$/.exec(text) ?? []
  if (shard === undefined || realm === undefined || number === undefined) return undefined
  return entityIdOf(BigInt(shard), BigInt(realm), BigInt(number))
}
