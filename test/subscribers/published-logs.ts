import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractLogsProjection } from '#projections/contract-logs/projection.ts'
import type { ContractLogRecorded } from '#schemas/events/types.ts'
import { decodeEvent } from '#src/events/codec.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { publish } from '#test/support/events.ts'

/** A simulated ledger with its read models, whose logs are published. */
export interface PublishedLedger {
  readonly ledger: TestLedger
  /** Tokens of which units were transferred, by their number. */
  readonly tokens: readonly bigint[]
}

const transfer = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Imports some blocks of a simulated network, whose files are below the folder, and publishes their logs. `open` opens the output. */
export async function publishLogs(below: string, open: () => MessageLog): Promise<PublishedLedger> {
  const folder = join(below, 'network')
  const options = { seed: 'logs', accounts: 30, transactionsPerSecond: 40 }
  await runSimulator({ folder, options, blocks: 8 })
  const world = new ImportWorld()
  const addressBook = readFileSync(join(folder, 'address-book.bin'))
  await world.import(folder, { addressBook, sidecarTypes: new Set([1, 2, 3]) })
  const records = await world.records()
  const ledger = await openTestLedger()
  await ledger.record(records)
  const deployment = new TestDeployment()
  await publish(deployment.log(), records)
  const { finish, ended } = deployment.supervise([contractLogsProjection], {
    outputs: { open: async () => open(), batchEventsMax: 100 },
  })
  finish.abort()
  await ended
  await deployment.close()
  return { ledger, tokens: tokensOf(await logsOn(open())) }
}

/** All of them; closes the output. */
export async function logsOn(output: MessageLog): Promise<ContractLogRecorded[]> {
  const logs: ContractLogRecorded[] = []
  for await (const { records } of output.read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false }))
    logs.push(...records.map((record) => decodeEvent({ ...record, type: 'ContractLogRecorded' })))
  await output.close()
  return logs
}

/** An amount is no topic of a Transfer of units, the number of an NFT is one. What is synthetic is no contract's own token. */
function tokensOf(logs: readonly ContractLogRecorded[]): bigint[] {
  const ofTokens = logs.filter((log) => log.synthetic && isUnitTransfer(log))
  return [...new Set(ofTokens.map(({ contractId }) => contractId))]
}

export function isUnitTransfer({ topics }: ContractLogRecorded): boolean {
  return topics.length === 3 && topics[0]?.toString('hex') === transfer
}
