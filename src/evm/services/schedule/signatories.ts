import { LedgerError } from '#src/domain/errors.ts'
import type { ScheduleFacts, Signatory } from '#src/evm/schedule-facts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { isKeySatisfied, keyOfWho, type SimpleKey, simpleKeysIn } from '#src/evm/services/keys.ts'

/** The keys that have to sign before it runs. */
async function keysNeeded(call: ServiceCall, { payer, scheduled }: ScheduleFacts): Promise<(Uint8Array | null)[]> {
  const { kind, signers } = scheduled
  if (signers === undefined)
    throw new LedgerError('not_implemented', `Who has to sign a scheduled ${kind} is not known here yet`)
  const accounts = [payer, ...signers.accounts].map(async (id) => keyOfWho(await call.world.entityOf(id)))
  const tokenKeys = signers.tokenKeys.map(async ({ token, kind: ofToken }) => {
    return (await call.tokens.token(token))?.keys[ofToken] ?? null
  })
  return [...signers.keys, ...(await Promise.all([...accounts, ...tokenKeys]))]
}

/** Adds keys that sign to those that did already, as far as the schedule needs them; undefined where none is new. It runs once all have signed. */
export async function signedBy(
  call: ServiceCall,
  schedule: ScheduleFacts,
  keys: readonly SimpleKey[],
): Promise<ScheduleFacts | undefined> {
  const needed = await keysNeeded(call, schedule)
  const simple = needed.flatMap(simpleKeysIn)
  const fresh = keys.filter((key) => simple.some((each) => isSame(each, key)) && !hasSigned(schedule.signatories, key))
  if (fresh.length === 0) return undefined
  const signatories = [...schedule.signatories, ...fresh.map(signatoryOf)]
  const isReady = needed.every((key) => isKeySatisfied(key, (each) => hasSigned(signatories, each)))
  return { ...schedule, signatories, end: isReady && !schedule.waits ? 'executed' : undefined }
}

function hasSigned(signatories: readonly Signatory[], key: SimpleKey): boolean {
  if (!('bytes' in key)) return signatories.some((each) => each.kind === 'contract' && each.contract === key.contract)
  const bytes = Buffer.from(key.bytes)
  return signatories.some((each) => each.kind === key.kind && bytes.subarray(0, each.prefix.length).equals(each.prefix))
}

function isSame(one: SimpleKey, other: SimpleKey): boolean {
  return hasSigned([signatoryOf(one)], other)
}

function signatoryOf(key: SimpleKey): Signatory {
  if ('bytes' in key) return { kind: key.kind, prefix: key.bytes }
  return { kind: 'contract', contract: key.contract }
}

/** What signs where somebody calls: a contract itself, an account with its key. */
export async function keysOfSender(call: ServiceCall): Promise<SimpleKey[]> {
  const sender = await call.world.entityAt(call.sender)
  if (sender?.kind === 'contract') return [{ kind: 'contract', contract: sender.id }]
  return simpleKeysIn(sender?.key ?? null)
}
