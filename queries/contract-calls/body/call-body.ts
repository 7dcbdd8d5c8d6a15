import type { Payload } from '#queries/common/payload.ts'
import { type CallMembers, callProperties, readCall } from '#queries/contract-calls/body/call-members.ts'
import { Complaints, type Members, parseMembers, textOf, truthOf } from '#queries/contract-calls/body/members.ts'
import { readBlockOverride, readStateOverrides } from '#queries/contract-calls/body/overrides.ts'
import { blockOverrideSchema, stateOverridesSchema } from '#queries/contract-calls/body/schemas.ts'
import type { BlockOverride, StateOverride } from '#src/evm/overrides.ts'

/** A call as it is asked for, before anything is looked up. */
export interface CallBody extends CallMembers {
  readonly block: string
  readonly estimate: boolean
  /** Whether it is told what the call touched. */
  readonly showsAccess: boolean
  readonly overrides: readonly StateOverride[]
  readonly blockOverride: BlockOverride | undefined
}

/** Call data of so many digits, and whatever else a request says. */
export const bodyBytesMax = 2 << 20

export const blockSchema = {
  type: 'string',
  nullable: true,
  default: 'latest',
  description: 'A block by number or hash, or latest, pending, safe, finalized or earliest',
}

export const callBodyProperties = {
  block: blockSchema,
  ...callProperties,
  estimate: { type: 'boolean', nullable: true, default: false, description: 'Answer with the gas that it needs' },
  state_overrides: stateOverridesSchema,
  block_override: blockOverrideSchema,
}

export function callPayload(gasMax: bigint): Payload<CallBody> {
  return {
    types: ['application/json'],
    description: 'The call, or the creation of a contract, to be run',
    schema: {
      type: 'object',
      properties: {
        ...callBodyProperties,
        accessList: {
          type: 'boolean',
          nullable: true,
          default: false,
          description: 'Answer with what it touched as well',
        },
      },
    },
    bytesMax: bodyBytesMax,
    parse: (bytes) => {
      const complaints = new Complaints()
      const read = readCallBody(parseMembers(bytes), complaints, gasMax)
      complaints.assertNone()
      return read()
    },
  }
}

/** What is returned is to be called once there are no complaints. */
export function readCallBody(members: Members, complaints: Complaints, gasMax: bigint): () => CallBody {
  const block = textOf(members, 'block') ?? ''
  const [estimate, showsAccess] = [truthOf(members, 'estimate'), truthOf(members, 'accessList')]
  const call = readCall(members, complaints, { gasMax })
  const overrides = readStateOverrides(members, complaints)
  const blockOverride = readBlockOverride(members, complaints)
  return () => ({ block, estimate, showsAccess, overrides, blockOverride, ...call() })
}
