import { findAddressBookFile } from '#src/cli/address-book.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import { serveSimulatedBlocks, simulatedHost } from '#src/cli/roles/simulated-block-nodes.ts'
import { simulateAlone } from '#src/cli/simulate-alone.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { systemClock } from '#src/ports/clock.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import type { BlockSigner } from '#src/simulator/blocks/block-signer.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import type { Mix } from '#src/simulator/resolved-options.ts'

/** First and longest pause before a full disk is tried again. */
const retryMinMs = 100
const retryMaxMs = 5_000

/** Writes the files of the simulated network in step with the clock, until it is told to stop. */
export async function simulate({ config, folder, signal, finish, report, logger }: RoleContext): Promise<void> {
  const sayReady = once(() => report({ kind: 'ready', role: 'simulate' }))
  const options = simulatorOptions(config, folder.marker.network ?? undefined)
  const signer = await signerOf(options)
  const nodes = signer && (await serveSimulatedBlocks({ config, folder: folder.network, options, logger }))
  // What the import begins with is there from the first start on; the next block may take its time.
  if (findAddressBookFile(folder.network) !== undefined) sayReady()
  const stop = AbortSignal.any([signal, finish])
  let blocks = 0
  const simulateOnce = async (): Promise<void> => {
    await simulateAlone({
      folder: folder.network,
      options,
      signer,
      paced: true,
      keepBlocks: config.simulation.keepBlocks,
      clock: systemClock,
      signal: stop,
      onBlock: ({ name, transactionCount }) => {
        blocks += 1
        nodes?.added()
        logger.debug({ file: name, transactions: transactionCount }, 'simulated block written')
        sayReady()
      },
    })
  }
  // A full disk keeps nobody from reading what is there, so that this role must not end the others.
  const retry = { signal: stop, logger, progress: () => blocks, retryMinMs, retryMaxMs }
  try {
    await retryWhileAway(simulateOnce, { ...retry, alsoWaitFor: ['disk_full'] })
  } finally {
    await nodes?.close()
  }
}

function once(action: () => void): () => void {
  let done = false
  return () => {
    if (!done) action()
    done = true
  }
}

/** The configuration of the simulated network as its simulator takes it. */
export function simulatorOptions({ simulation, source }: Config, network?: string): SimulatorOptions {
  const { seed, nodes, transactionsPerSecond, accounts, blockSeconds, startTime } = simulation
  const { cutoverSeconds, hashRule, stateProofs, blockNodePorts } = simulation
  const stream = source.stream === 'auto' ? 'records' : source.stream
  const blockNodes = stream === 'records' ? [] : blockNodePorts.map((port) => ({ ip: simulatedHost, port }))
  return {
    stream,
    cutoverSeconds,
    hashRule,
    stateProofs,
    blockNodes,
    ...(network === undefined ? {} : { network }),
    seed,
    nodes,
    transactionsPerSecond,
    accounts,
    blockSeconds,
    mix: mixOf(simulation.mix),
    ...(startTime === null ? {} : { startTime }),
  }
}

/** The ledger that signs the blocks of a simulated network; undefined where it writes record files alone. */
export async function signerOf({ stream, seed, nodes = 4 }: SimulatorOptions): Promise<BlockSigner | undefined> {
  if (stream === 'records') return undefined
  const { createSimulatedLedger } = await import('#src/simulator/tss/simulated-ledger.ts')
  return createSimulatedLedger({ seed: String(seed), weights: Array.from({ length: nodes }, () => 1) })
}

function mixOf(parts: Config['simulation']['mix']): Mix {
  let mix: Mix = mixPresets.default
  for (const part of parts) {
    mix = 'preset' in part ? presetOf(part.preset) : { ...mix, weights: { ...mix.weights, [part.kind]: part.weight } }
  }
  return mix
}

function presetOf(name: string): Mix {
  const presets: Readonly<Record<string, Mix>> = mixPresets
  const preset = presets[name]
  if (preset) return preset
  throw new LedgerError('config_invalid', `There is no mix "${name}"; there are ${Object.keys(presets).join(', ')}`, {
    name,
  })
}
