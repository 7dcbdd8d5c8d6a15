import { join, resolve } from 'node:path'
import { DeadlinePassed, withDeadline } from '#src/adapters/deadline.ts'
import { findLogFacts } from '#src/cli/importing/log-facts.ts'
import { checkBlockFiles, checkRecordSource } from '#src/cli/importing/ready/bucket-checks.ts'
import { type Check, fails } from '#src/cli/importing/ready/check.ts'
import { checkClock } from '#src/cli/importing/ready/clock-check.ts'
import { checkLimits } from '#src/cli/importing/ready/limit-checks.ts'
import { checkLog } from '#src/cli/importing/ready/log-check.ts'
import { checkNodeBlocks, checkNodes } from '#src/cli/importing/ready/node-checks.ts'
import { type ReadyContext, streamInUse } from '#src/cli/importing/ready/ready-context.ts'
import { checkImporters, checkStream } from '#src/cli/importing/ready/stream-check.ts'
import { checkAddressBook, checkAnchor, checkProofs } from '#src/cli/importing/ready/trust-checks.ts'
import { networkNameOf } from '#src/cli/network-name.ts'
import { publicNetworks } from '#src/cli/public-networks.ts'
import type { VerbContext } from '#src/cli/run-verb.ts'
import type { Config } from '#src/config/schema.ts'

/** Longest for all that is asked of one kind of source. */
const trialMsMax = 60_000

/** What the checks are about: the settings and the log of a deployment, or a public network by its name alone. */
export async function readyContext(verb: VerbContext): Promise<ReadyContext> {
  const facts = await findLogFacts(verb)
  const network = verb.config.network ?? facts?.network ?? networkNameOf(verb.config)
  const config = ofPublicNetwork(verb, network)
  const folder = { network: join(resolve(config.data), 'network') }
  const found = { times: [], blocks: [], nodes: [], bucketReads: false }
  const stream = streamInUse(config, network, facts)
  return { config, network, folder, stream, facts, logger: verb.logger, signal: verb.signal, found }
}

/** Where no source is set, that of the network whose name is. */
function ofPublicNetwork({ config, loaded }: VerbContext, network: string): Config {
  const bucket = publicNetworks[network]?.recordBucket
  if (bucket === undefined || loaded.origins.get('source.location') !== 'default') return config
  return { ...config, source: { ...config.source, location: `s3://${bucket}` } }
}

/** Tries everything that the move to block streams needs; each result as soon as it is there. Ends at the signal, whatever is left. */
export async function* checkReadiness(
  context: ReadyContext,
  trialMs = trialMsMax,
): AsyncGenerator<Check, void, undefined> {
  const tried = (name: string, trial: Trial) => inTime(name, trial, context, trialMs)
  yield checkLog(context)
  yield checkStream(context)
  yield* checkImporters(context)
  yield checkAddressBook(context)
  yield* await tried('record files', async (bounded) => [await checkRecordSource(bounded)])
  yield* await tried('block files', async (bounded) => [await checkBlockFiles(bounded)])
  yield* await tried('block nodes', checkNodes)
  yield* await tried('blocks of block nodes', checkNodeBlocks)
  yield checkAnchor(context)
  yield* await tried('proofs', checkProofs)
  yield* checkLimits(context)
  yield checkClock(context)
}

type Trial = (context: ReadyContext) => Promise<readonly Check[]>

/** Whoever is asked has bounds of his own; this is for all that is asked of him together. */
async function inTime(
  name: string,
  trial: Trial,
  context: ReadyContext,
  milliseconds: number,
): Promise<readonly Check[]> {
  try {
    return await withDeadline(milliseconds, context.signal, (signal) => trial({ ...context, signal }))
  } catch (error) {
    if (context.signal.aborted) return []
    if (!(error instanceof DeadlinePassed)) throw error
    return [{ ...fails(name, error.message, 'look at the way there, and try again'), reason: 'timeout' }]
  }
}
