import { publicNetworks } from '#src/cli/public-networks.ts'
import type { Config } from '#src/config/schema.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'

/** What is read of a network: as set, else record files until it writes blocks where that is known to come, else record files. */
export function streamOf({ source }: Pick<Config, 'source'>, network: string): ImporterSettings['stream'] {
  const { stream } = source
  if (stream !== 'auto') return stream
  return publicNetworks[network]?.movesToBlocks ? 'cutover' : 'records'
}
