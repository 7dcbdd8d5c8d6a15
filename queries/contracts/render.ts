import type { EntityRow } from '#projections/entities/schema.ts'
import { defineObject, membersOf } from '#queries/common/define-object.ts'
import { objectSchema, text } from '#queries/common/object-schema.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { expiryOf } from '#src/domain/expiry.ts'
import { entityText, flagText, idText, timeText, wordText } from '#src/domain/json-text.ts'
import { renderKey } from '#src/domain/public-key.ts'

const entityId = { ...text, nullable: true, example: '0.0.1001' }
const timestamp = { ...text, nullable: true, example: '1234567890.000000001' }
const number = { type: 'integer', format: 'int64', nullable: true }
const flag = { type: 'boolean', nullable: true }
const hex = { ...text, description: '0x and hex digits' }

interface ListedContract {
  readonly row: EntityRow
  readonly fileId: bigint | null
}

interface DetailedContract extends ListedContract {
  /** 0x and hex digits. */
  readonly bytecode: string
  readonly runtimeBytecode: string
}

const ofList = membersOf<ListedContract>({
  admin_key: [{ ...objectSchema({ _type: text, key: text }), nullable: true }, ({ row }) => renderKey(row.key)],
  auto_renew_account: [entityId, ({ row }) => idText(row.autoRenewAccountId)],
  auto_renew_period: [number, ({ row }) => row.autoRenewPeriod],
  contract_id: [entityId, ({ row }) => idText(row.id)],
  created_timestamp: [timestamp, ({ row }) => timeText(row.createdTimestamp)],
  deleted: [flag, ({ row }) => flagText(row.deleted)],
  evm_address: [hex, ({ row }) => `"0x${hexOf(row.evmAddress ?? longZeroAddress(row.id))}"`],
  expiration_timestamp: [timestamp, ({ row }) => timeText(expiryOf(row))],
  file_id: [entityId, ({ fileId }) => idText(fileId)],
  max_automatic_token_associations: [{ ...number, format: 'int32' }, ({ row }) => row.maxAutomaticTokenAssociations],
  memo: [text, ({ row }) => JSON.stringify(row.memo)],
  nonce: [number, ({ row }) => row.ethereumNonce],
  obtainer_id: [entityId, ({ row }) => idText(row.obtainerId)],
  permanent_removal: [flag, ({ row }) => flagText(row.permanentRemoval)],
  proxy_account_id: [entityId, ({ row }) => idText(row.proxyAccountId)],
  timestamp: [
    objectSchema({ from: timestamp, to: timestamp }, { title: 'ContractValidity' }),
    ({ row }) => `{"from":${timeText(row.from)},"to":${timeText(row.until)}}`,
  ],
})

export const listedContract = defineObject(ofList, { title: 'Contract' })

export const contractObject = defineObject<DetailedContract>(
  {
    ...ofList,
    bytecode: [hex, ({ bytecode }) => JSON.stringify(bytecode)],
    runtime_bytecode: [hex, ({ runtimeBytecode }) => `"${runtimeBytecode}"`],
  },
  { title: 'ContractDetail' },
)

interface ShownSlot {
  readonly address: string | undefined
  readonly contract: bigint
  readonly slot: Uint8Array
  readonly time: bigint
  readonly value: Uint8Array
}

export const slotObject = defineObject<ShownSlot>(
  {
    address: [hex, ({ address }) => `"${address}"`],
    contract_id: [entityId, ({ contract }) => entityText(contract)],
    slot: [hex, ({ slot }) => wordText(slot)],
    timestamp: [text, ({ time }) => timeText(time)],
    value: [hex, ({ value }) => wordText(value)],
  },
  { title: 'ContractStateSlot' },
)
