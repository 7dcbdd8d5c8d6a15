import { publicNetworks } from '#src/cli/public-networks.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'

/** What is read of a network: as set, else record files until it writes blocks where that is known to come, else record files. */
export function streamOf({ source }: Pick<Config, 'source'>, network: string): ImporterSettings['stream'] {
  const { stream, location } = source
  if (location === 'none' && (stream === 'records' || stream === 'cutover'))
    throw new LedgerError(
      'config_invalid',
      `--stream ${stream} needs record files, and --source says that there are none`,
    )
  if (stream !== 'auto') return stream
  if (location === 'none') return 'blocks'
  return publicNetworks[network]?.movesToBlocks ? 'cutover' : 'records'
}
