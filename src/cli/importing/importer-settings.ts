import { streamOf } from '#src/cli/importing/stream-choice.ts'
import type { Config } from '#src/config/schema.ts'
import type { SidecarType } from '#src/config/sections/source.ts'
import { type ImporterSettings, importerDefaults } from '#src/importer/settings.ts'

const mebibyte = 1024 * 1024
const pathTypes = { auto: 'AUTO', 'account-id': 'ACCOUNT_ID', 'node-id': 'NODE_ID' } as const
const stakeModes = { 'address-book': 'STAKE_IN_ADDRESS_BOOK', stake: 'STAKE', equal: 'EQUAL' } as const
const sidecarNumbers: Readonly<Record<SidecarType, number>> = { 'state-changes': 1, actions: 2, bytecode: 3 }

/** The configuration as the importer takes it. */
export function importerSettings(
  config: Config,
  network: string,
  addressBook: Uint8Array | undefined,
): ImporterSettings {
  const { source, blocks, cutover } = config
  const settings = config.import
  return {
    ...importerDefaults,
    network,
    addressBook,
    stream: streamOf(config, network),
    cutoverThresholdMs: cutover.thresholdMs,
    cutoverVersion: cutover.hapiVersion,
    wrappedFrom: cutover.wrappedFrom ?? undefined,
    blockBytesInFlightMax: Math.min(importerDefaults.blockBytesInFlightMax, blocks.blockMaxMiB * mebibyte),
    acceptUnproved: new Set(blocks.acceptUnproved),
    pathType: pathTypes[source.pathType],
    pathPrefix: source.pathPrefix ?? '',
    once: config.once,
    startTime: source.startDate ?? undefined,
    endTime: source.endDate ?? undefined,
    startBlockNumber: BigInt(settings.startBlockNumber ?? 0),
    consensusRatio: settings.consensusRatio,
    stakeMode: stakeModes[settings.stakeMode],
    signatureChecks: settings.signatureChecks,
    sidecarTypes: new Set(settings.sidecarTypes.map((type) => sidecarNumbers[type])),
    keepRawBytes: settings.keepRawBytes,
    pollIntervalMs: source.pollMs,
  }
}
