import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UpdateFilter } from 'mongodb'
import type { Connection } from '#src/adapters/mongodb/connection.ts'
import {
  areKnown,
  checkpointsOf,
  collectionNames,
  type InstanceDocument,
  type Owner,
} from '#src/adapters/mongodb/instance.ts'
import { insert } from '#src/adapters/mongodb/row-writes.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { instanceName, type ProjectionSchema } from '#src/ports/read-store.ts'

/** Owners' tokens of this thread that are in use: any other one with our unit was left behind by a failure. */
const liveTokens = new Set<string>()
const unit = randomUUID()

export function forgetToken(token: string): void {
  liveTokens.delete(token)
}

/** Enough that no two lives of one read model ever have the same. */
const markBytes = 6

/** Besides another successor, a last sign of life that arrives late can be faster. */
const attemptsMax = 3

/**
 * Takes an instance over by compare-and-set and returns its document as of then, or rejects with `owner_busy` while
 * another owner lives. An owner that closed, whose process is gone from this machine, or that gives no sign of life for
 * the length of a lease, measured with our clock, is succeeded.
 */
export async function takeOver(connection: Connection, schema: ProjectionSchema): Promise<InstanceDocument> {
  const owner = createOwner(connection)
  liveTokens.add(owner.token)
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const silent = await awaitSilence(connection, schema, await findOrCreate(connection, schema))
      const taken = await replaceOwner(connection, schema, silent, owner)
      if (taken) return taken
    }
    throw busy(schema, await read(connection, schema))
  } catch (error) {
    liveTokens.delete(owner.token)
    throw error
  }
}

/** What a sign of life changes. The driver's types do not see that any field may be a number. */
export const signOfLife = { $inc: { beat: 1 } } as Record<string, object> as UpdateFilter<InstanceDocument>

async function findOrCreate(connection: Connection, schema: ProjectionSchema): Promise<InstanceDocument> {
  const existing = await read(connection, schema)
  if (existing) return existing
  const document: InstanceDocument = {
    _id: instanceName(schema),
    epoch: 0n,
    life: 0n,
    state: 'removed',
    position: null,
    time: 0n,
    again: 0n,
    pending: null,
    owner: null,
    beat: 0n,
    dropping: [],
  }
  await insert(connection, collectionNames.checkpoints, [document])
  return (await read(connection, schema)) ?? document
}

export async function read(connection: Connection, schema: ProjectionSchema): Promise<InstanceDocument | undefined> {
  const filter = { _id: instanceName(schema) }
  const found = await connection.run(() => checkpointsOf(connection).findOne(filter))
  return found ?? undefined
}

/** Returns the document of an instance without a living owner. */
async function awaitSilence(
  connection: Connection,
  schema: ProjectionSchema,
  found: InstanceDocument,
): Promise<InstanceDocument> {
  const { leaseMs, heartbeatMs } = connection.settings
  const started = performance.now()
  while (!isKnownDead(found.owner)) {
    const waitedMs = performance.now() - started
    if (waitedMs >= leaseMs) break
    await sleep(Math.min(heartbeatMs / 4, leaseMs - waitedMs + 1))
    const now = await read(connection, schema)
    if (now?.beat !== found.beat || now.epoch !== found.epoch) throw busy(schema, now)
    found = now
  }
  return found
}

/** Without having to wait for a sign of life. */
function isKnownDead(owner: Owner | null): boolean {
  if (owner === null) return true
  if (owner.unit === unit) return !liveTokens.has(owner.token)
  if (owner.machine !== machine || owner.pid === process.pid) return false
  return !processExists(owner.pid)
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Anything else than "no such process" means that there is one, of another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

async function replaceOwner(
  connection: Connection,
  schema: ProjectionSchema,
  found: InstanceDocument,
  owner: Owner,
): Promise<InstanceDocument | undefined> {
  const { epoch, beat, life, state, mark } = found
  const next = epoch + 1n
  const fresh = { mark: randomBytes(markBytes).toString('base64url') }
  const begins =
    state === 'removed'
      ? ({ state: 'done', life: next, ...fresh, log: null, sums: true, marked: false } as const)
      : { life, ...(mark === undefined && fresh), ...(!areKnown(found) && { sums: false, marked: false }) }
  const filter = { _id: instanceName(schema), epoch, beat }
  const change: UpdateFilter<InstanceDocument> = {
    $set: { epoch: next, knownEpoch: next, owner, ...begins },
    ...signOfLife,
  }
  const taken = await connection.run(() =>
    checkpointsOf(connection).findOneAndUpdate(filter, change, { returnDocument: 'after' }),
  )
  return taken ?? undefined
}

function busy(schema: ProjectionSchema, found: InstanceDocument | undefined): LedgerError {
  const { host, pid, process } = found?.owner ?? {}
  const who = host === undefined ? 'Another process' : `Process ${pid} on ${host}`
  return new LedgerError(
    'owner_busy',
    `${who} keeps read model ${instanceName(schema)} up to date; stop it, or leave the work to it`,
    { projection: schema.name, version: schema.version, host, pid, process },
  )
}

function createOwner({ settings: { owner } }: Connection): Owner {
  const { host, pid, codeVersion, process } = owner
  return { token: randomUUID(), unit, machine, host, pid, codeVersion, process }
}

/** A process id says something only on the same boot of the same machine, and within the same container. */
const machine = [
  () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  () => readlinkSync('/proc/self/ns/pid'),
]
  .map((look) => {
    try {
      return look()
    } catch {
      // Not Linux, or hidden: then nobody else has the same text, and leases decide.
      return randomUUID()
    }
  })
  .join(' ')
