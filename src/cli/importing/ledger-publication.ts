import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { publicNetworks } from '#src/cli/public-networks.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'

const fileName = 'ledger-publication.bin'

export interface PublicationPlaces {
  readonly config: Config
  readonly folder: Pick<DataFolder, 'network'>
  readonly network: string
}

/**
 * Whose signature proves blocks, as far as anybody says it beside the log: the configured file, one beside the files of the source, or what
 * is known of a public network. Throws `ledger_untrusted` where a file does not hold.
 */
export function findLedgerPublication({ config, folder, network }: PublicationPlaces): Ledger | undefined {
  const file = publicationFile(config, folder)
  if (file !== undefined) return readLedgerPublication(readPublication(file), file)
  const known = publicNetworks[network]?.ledgerPublication
  return known === undefined
    ? undefined
    : readLedgerPublication(Buffer.from(known, 'base64'), `the table of ${network}`)
}

function publicationFile({ blocks, source }: Config, folder: Pick<DataFolder, 'network'>): string | undefined {
  if (blocks.ledgerPublication !== null) return resolve(blocks.ledgerPublication)
  const places = [source.location === 'simulated' ? folder.network : source.location, blocks.location ?? '']
  return places
    .filter((place) => place !== '' && place !== 'none' && !place.startsWith('s3://'))
    .map((place) => join(resolve(place), fileName))
    .find((file) => existsSync(file))
}

function readPublication(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new LedgerError(
      'ledger_untrusted',
      `The ledger id publication ${file} cannot be read; check the path given with --ledger-publication`,
      { file },
      error,
    )
  }
}
