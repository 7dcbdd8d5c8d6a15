import { readAccessList, readAuthorizations } from '#queries/contract-calls/body/access.ts'
import {
  addressOf,
  bytesOf,
  type Complaints,
  type Members,
  quantityOf,
  textOf,
} from '#queries/contract-calls/body/members.ts'
import {
  accessListSchema,
  addressSchema,
  amountSchema,
  authorizationListSchema,
} from '#queries/contract-calls/body/schemas.ts'
import type { AccessListEntry } from '#src/evm/access-lists.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { Authorization } from '#src/evm/authorizations.ts'

/** One call as a body asks for it. */
export interface CallMembers {
  readonly data: Uint8Array
  readonly from: HexAddress | undefined
  readonly to: HexAddress | undefined
  /** undefined takes the most that a call may have. */
  readonly gas: bigint | undefined
  readonly gasPrice: bigint
  readonly value: bigint
  readonly accessList: readonly AccessListEntry[]
  readonly authorizations: readonly Authorization[]
}

const gasMin = 21_000n
const dataDigitsMax = 1_048_576
/** How compilers begin the code that creates a contract. */
const initCodeForm = /^(0x)?(60806040|608060405[0-9a-f]|60606040|6080604[0-9a-f])/i

export const callProperties = {
  data: { type: 'string', nullable: true, description: 'Call data as hex, or init code' },
  from: addressSchema,
  gas: { type: 'integer', format: 'int64', nullable: true, minimum: Number(gasMin), default: 15_000_000 },
  gasPrice: { ...amountSchema, description: 'Also as gas_price' },
  to: addressSchema,
  value: { ...amountSchema, description: 'Tinybars' },
  access_list: accessListSchema,
  authorization_list: authorizationListSchema,
}

/** Complains about each rule that is broken; then nothing of what is returned is to be used. */
export function readCall(
  members: Members,
  complaints: Complaints,
  { gasMax, path = '' }: ReadOptions,
): () => CallMembers {
  const data = textOf(members, 'data') ?? ''
  const from = textOf(members, 'from')
  const to = textOf(members, 'to') ?? ''
  const gas = quantityOf(members, 'gas')
  const gasPrice = quantityOf(members, 'gasPrice') ?? quantityOf(members, 'gas_price') ?? 0n
  const value = quantityOf(members, 'value') ?? 0n
  const lacksTo = value > 0n && from !== undefined && to === '' && !initCodeForm.test(data)
  const least = 'must be greater than or equal to'
  complaints.hex(`${path}data`, data.length > dataDigitsMax ? '?' : data)
  complaints.address(`${path}from`, from)
  complaints.address(`${path}to`, to === '' ? undefined : to)
  complaints.when(value > 0n && from === undefined, `${path}from`, 'must not be empty')
  complaints.when(lacksTo, `${path}to`, 'must not be empty')
  complaints.when(gas !== undefined && gas < gasMin, `${path}gas`, `${least} ${gasMin}`)
  complaints.when(gas !== undefined && gas > gasMax, `${path}gas`, `must be less than or equal to ${gasMax}`)
  complaints.when(gasPrice < 0n, `${path}gasPrice`, `${least} 0`)
  complaints.when(value < 0n, `${path}value`, `${least} 0`)
  const accessList = readAccessList(members, complaints, path)
  const authorizations = readAuthorizations(members, complaints, path)
  return () => ({
    data: bytesOf(data),
    from: from === undefined ? undefined : addressOf(from),
    to: to === '' ? undefined : addressOf(to),
    gas,
    gasPrice,
    value,
    accessList,
    authorizations,
  })
}

interface ReadOptions {
  readonly gasMax: bigint
  /** Where the call stands in the body. */
  readonly path?: string
}
