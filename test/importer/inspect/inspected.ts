import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type GivenTrust, trustOfBook } from '#src/importer/inspect/given-trust.ts'
import { type Inspection, inspectFile } from '#src/importer/inspect/inspect-file.ts'
import { defaultConsensusRatio } from '#src/importer/verify/consensus.ts'
import { readLedgerPublication } from '#src/tss/ledger.ts'
import { inlineChecker } from '#test/importer/block/folder-blocks.ts'

export interface Given {
  readonly addressBook?: Uint8Array
  readonly ledgerPublication?: Uint8Array
  readonly blockBytesMax?: number
}

/** What is said of a file, with its bytes or other ones. */
export async function inspected(
  file: string,
  given: Given = {},
  bytes: Buffer = readFileSync(file),
): Promise<Inspection> {
  const folder = dirname(file)
  const beside = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined)
  const { blockBytesMax = 64 << 20 } = given
  return inspectFile({ name: basename(file), folder, bytes, blockBytesMax, beside }, await trustOf(given))
}

/** The same of what is known to be of this kind. */
export async function inspectedAs<Kind extends Inspection['kind']>(
  kind: Kind,
  file: string,
  given?: Given,
  bytes?: Buffer,
): Promise<Extract<Inspection, { kind: Kind }>> {
  const inspection = await inspected(file, given, bytes)
  if (inspection.kind !== kind) throw new Error(`${file} is taken for a ${inspection.kind}`)
  return inspection as Extract<Inspection, { kind: Kind }>
}

let checker: ReturnType<typeof inlineChecker> | undefined

async function trustOf({ addressBook, ledgerPublication }: Given): Promise<GivenTrust> {
  checker ??= inlineChecker()
  return {
    ledger: ledgerPublication && readLedgerPublication(ledgerPublication, 'the test'),
    nodes: addressBook && trustOfBook(addressBook, defaultConsensusRatio),
    checker: await checker,
  }
}
