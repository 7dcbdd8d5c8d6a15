import type { Payload } from '#queries/common/payload.ts'
import { blockSchema, bodyBytesMax } from '#queries/contract-calls/body/call-body.ts'
import { type CallMembers, callProperties, readCall } from '#queries/contract-calls/body/call-members.ts'
import {
  Complaints,
  type Members,
  objectsOf,
  parseMembers,
  textOf,
  truthOf,
} from '#queries/contract-calls/body/members.ts'
import { readBlockOverride, readStateOverrides } from '#queries/contract-calls/body/overrides.ts'
import { blockOverrideSchema, stateOverridesSchema } from '#queries/contract-calls/body/schemas.ts'
import type { BlockOverride, StateOverride } from '#src/evm/overrides.ts'

export interface SimulatedEntry {
  readonly block: BlockOverride | undefined
  readonly overrides: readonly StateOverride[]
  readonly calls: readonly CallMembers[]
}

/** Blocks of calls as they are asked for. */
export interface SimulateBody {
  readonly block: string
  readonly entries: readonly SimulatedEntry[]
  readonly tracesTransfers: boolean
  readonly validates: boolean
}

const callsMax = 16
const quantity = {
  oneOf: [{ type: 'integer', format: 'int64' }, { type: 'string' }],
  nullable: true,
  description: 'A number, or a text of one, also as 0x and hex digits',
}

export function simulatePayload(gasMax: bigint): Payload<SimulateBody> {
  return {
    types: ['application/json'],
    description: 'Blocks of calls, each run on what those before it left',
    schema: {
      type: 'object',
      required: ['block_state_calls'],
      properties: {
        block: blockSchema,
        block_state_calls: {
          type: 'array',
          minItems: 1,
          description: `At most ${callsMax} calls together`,
          items: {
            type: 'object',
            properties: {
              block_override: blockOverrideSchema,
              calls: {
                type: 'array',
                maxItems: callsMax,
                items: {
                  type: 'object',
                  properties: {
                    ...callProperties,
                    gas: quantity,
                    gas_price: quantity,
                    gasPrice: quantity,
                    value: quantity,
                  },
                },
              },
              state_overrides: stateOverridesSchema,
            },
          },
        },
        trace_transfers: { type: 'boolean', default: false, description: 'Hbar that moves is told as logs, too' },
        validation: { type: 'boolean', default: false, description: 'Senders need to have what they send' },
      },
    },
    bytesMax: bodyBytesMax,
    parse: (bytes) => readBody(parseMembers(bytes), gasMax),
  }
}

function readBody(members: Members, gasMax: bigint): SimulateBody {
  const complaints = new Complaints()
  const given = objectsOf(members, 'block_state_calls')
  const reads = given.map((entry, at) => readEntry(entry, complaints, { gasMax, path: `blockStateCalls[${at}].` }))
  const count = given.reduce((sum, entry) => sum + objectsOf(entry, 'calls').length, 0)
  complaints.when(count === 0, 'blockStateCalls', 'must not be empty')
  complaints.when(count > callsMax, 'blockStateCalls', `must hold at most ${callsMax} calls`)
  complaints.assertNone()
  return {
    block: textOf(members, 'block') ?? '',
    entries: reads.map((read) => read()),
    tracesTransfers: truthOf(members, 'trace_transfers'),
    validates: truthOf(members, 'validation'),
  }
}

function readEntry(
  members: Members,
  complaints: Complaints,
  { gasMax, path }: { readonly gasMax: bigint; readonly path: string },
): () => SimulatedEntry {
  const calls = objectsOf(members, 'calls').map((call, at) =>
    readCall(call, complaints, { gasMax, path: `${path}calls[${at}].` }),
  )
  const overrides = readStateOverrides(members, complaints, path)
  const block = readBlockOverride(members, complaints, path)
  return () => ({ block, overrides, calls: calls.map((read) => read()) })
}
