import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { givenAddressBook } from '#src/cli/address-book.ts'
import { findLedgerPublication } from '#src/cli/importing/ledger-publication.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type GivenTrust, trustOfBook } from '#src/importer/inspect/given-trust.ts'
import type { InspectedFile } from '#src/importer/inspect/inspect-file.ts'
import { importerDefaults } from '#src/importer/settings.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier } from '#src/tss/proof-verifier.ts'

const mebibyte = 1024 * 1024

/** Reads a file that somebody names, and those that lie beside it when they are asked for. Throws `config_invalid`. */
export function openInspected(path: string, { blocks }: Pick<Config, 'blocks'>): InspectedFile {
  const blockBytesMax = blocks.blockMaxMiB * mebibyte
  const bytesMax = Math.max(blockBytesMax, importerDefaults.fileBytesMax)
  const file = resolve(path)
  const folder = dirname(file)
  return {
    name: basename(file),
    folder,
    bytes: readBounded(file, bytesMax),
    blockBytesMax,
    beside: (name) => (existsSync(join(folder, name)) ? readBounded(join(folder, name), bytesMax) : undefined),
  }
}

/** Nobody unpacks, or reads, what is too large as it is. */
function readBounded(file: string, bytesMax: number): Buffer {
  try {
    const { size } = statSync(file)
    if (size <= bytesMax) return readFileSync(file)
    throw unreadable(file, `has ${size} bytes, more than the limit of ${bytesMax}; raise it with --block-mib-max`)
  } catch (error) {
    if (error instanceof LedgerError) throw error
    throw unreadable(file, `cannot be read (${(error as Error).message}); check the path`, error)
  }
}

function unreadable(file: string, what: string, cause?: unknown): LedgerError {
  return new LedgerError('config_invalid', `The file ${file} ${what}`, { file }, cause)
}

/** Whom to believe, as the settings say. Throws `address_book_invalid` or `ledger_untrusted` where what they name does not hold. */
export async function givenTrust(config: Config): Promise<GivenTrust> {
  const addressBook = givenAddressBook(config)
  const network = config.network ?? ''
  // No data folder belongs to a single file, so that nothing lies beside it.
  const ledger = findLedgerPublication({ config, folder: { network: '' }, network })
  const verifier = createProofVerifier({ pairings: await openPairings('fast') })
  return {
    ledger,
    nodes: addressBook && trustOfBook(addressBook, config.import.consensusRatio),
    checker: { check: async ({ ledger: signing, ...job }) => verifier.verify(signing, job) },
  }
}
