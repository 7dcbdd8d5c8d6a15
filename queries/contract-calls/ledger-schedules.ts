import { callerType, type ScheduleSignature, unpackSignatures } from '#projections/schedules/packing.ts'
import type { ScheduleRow } from '#projections/schedules/schema.ts'
import type { CallBlock } from '#queries/contract-calls/find-block.ts'
import { idOfNumber, numberOfId } from '#queries/contract-calls/numbers.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { scheduledOf } from '#queries/contract-calls/scheduled-body.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import type { ScheduledFacts, ScheduleFacts, ScheduleLedger, Signatory } from '#src/evm/schedule-facts.ts'

const fields = [
  'created',
  'executed',
  'deleted',
  'expiration',
  'payer',
  'adminKey',
  'waits',
  'body',
  'signatures',
] as const
const signatureTypes = { ed25519: 3, secp256k1: 6 } as const
/** Where its creation leaves that to the network. */
const usualExpirySeconds = 1_800n
/** The network runs no more in a second. */
const perSecond = 100

type Row = Pick<ScheduleRow, (typeof fields)[number]>

/** Schedules as contracts see them at a block: all that changes of them has a time. */
export function schedulesAt(block: CallBlock, context: CallContext): ScheduleLedger {
  const { rows } = context

  return {
    schedule: async (number) => {
      const id = idOfNumber(number, context)
      if (id === undefined) return undefined
      const [row] = await rows.schedules.get('schedules', [[id]], fields)
      return row === undefined || row.created > block.time ? undefined : factsOf(number, row, block.time)
    },
    scheduledAt: async (second) => {
      const found = await rows.schedules.find({
        collection: 'schedules',
        index: ['expirationSecond', 'id'],
        prefix: [second],
        limit: perSecond,
        select: ['created', 'body'],
      })
      const made = found.filter(({ created }) => created <= block.time)
      const gas = made.reduce((sum, { body }) => sum + scheduledIn(body).gas, 0n)
      return { transactions: BigInt(made.length), gas }
    },
  }
}

function factsOf(id: bigint, row: Row, time: bigint): ScheduleFacts {
  const { created, executed, deleted, expiration, payer, adminKey, waits, body } = row
  const isExecuted = executed !== null && executed <= time
  const isDeleted = deleted !== null && deleted <= time
  return {
    id,
    payer: numberOfId(payer),
    adminKey,
    expirySeconds: expiration === null ? created / nanosPerSecond + usualExpirySeconds : expiration / nanosPerSecond,
    waits: waits === 1,
    end: isExecuted ? 'executed' : isDeleted ? 'deleted' : undefined,
    signatories: unpackSignatures(row.signatures)
      .filter((each) => each.time <= time)
      .flatMap(signatoryOf),
    scheduled: scheduledIn(body),
  }
}

/** Nobody where the network checks no such signature. */
function signatoryOf({ type, signer }: ScheduleSignature): Signatory[] {
  if (type === callerType) return [{ kind: 'contract', contract: numberOfId(BigInt(signer)) }]
  const prefix = Buffer.from(signer, 'base64')
  if (type === signatureTypes.ed25519) return [{ kind: 'ed25519', prefix }]
  return type === signatureTypes.secp256k1 ? [{ kind: 'secp256k1', prefix }] : []
}

function scheduledIn(body: string): ScheduledFacts {
  return scheduledOf(Buffer.from(body, 'base64'))
}
