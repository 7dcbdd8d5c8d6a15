import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { RoleSettings } from '#src/cli/roles/role.ts'
import { readAddressBook } from '#src/domain/address-book.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'

const addressBookNames = ['address_book.bin', 'address-book.bin'] as const

export interface AddressBookPlaces {
  readonly config: RoleSettings['config']
  /** Where a simulated network writes. */
  readonly folder: Pick<RoleSettings['folder'], 'network'>
}

/** The configured address book, else one beside the record files; undefined leaves it to what the log already knows. */
export function findAddressBook({ config, folder }: AddressBookPlaces): Uint8Array | undefined {
  const { location } = config.source
  const given = givenAddressBook(config)
  if (given !== undefined) return given
  if (location === 'none' || location.startsWith('s3://')) return undefined
  const found = findAddressBookFile(location === 'simulated' ? folder.network : resolve(location))
  return found === undefined ? undefined : checkedAddressBook(found)
}

/** The address book beside record files; undefined when there is none. */
export function findAddressBookFile(folder: string): string | undefined {
  return addressBookNames.map((name) => join(folder, name)).find((file) => existsSync(file))
}

/** The same failure with what a person at the command line can do about it. */
export function noAddressBook(network: string, cause: unknown): LedgerError {
  const names = addressBookNames.join(' or ')
  return new LedgerError(
    'address_book_invalid',
    `There is no address book to begin network "${network}" with; name one with --address-book, or put it into the source folder as ${names}`,
    { network },
    cause,
  )
}

/** The configured address book, for who has no source beside which there could be one. */
export function givenAddressBook({ source }: Pick<RoleSettings['config'], 'source'>): Uint8Array | undefined {
  return source.addressBook === null ? undefined : checkedAddressBook(resolve(source.addressBook))
}

/** The file's bytes, once they are known to be an address book: the importer that reads them again knows no file. */
function checkedAddressBook(file: string): Uint8Array {
  const bytes = readAddressBookFile(file)
  try {
    readAddressBook(bytes)
    return bytes
  } catch (error) {
    if (!isLedgerError(error, 'address_book_invalid')) throw error
    throw new LedgerError(
      'address_book_invalid',
      `${file} is no address book: ${error.details['reason']}; give the contents of file 0.0.102 (a protobuf NodeAddressBook) of this network with --address-book`,
      { ...error.details, file },
      error,
    )
  }
}

function readAddressBookFile(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new LedgerError(
      'address_book_invalid',
      `The address book ${file} cannot be read; check the path given with --address-book`,
      { file },
      error,
    )
  }
}
