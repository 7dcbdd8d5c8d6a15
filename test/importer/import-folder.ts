import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { ImportWorld } from '#test/importer/import-world.ts'
import { addressBookOf, type TestItem, testNodes, transferItem } from '#test/support/record-writer.ts'

/** The nodes that sign in most tests, and their address book. */
export const nodes = testNodes(4)
export const addressBook = addressBookOf(nodes)

/** The items of a file with one transfer. */
export function transfer(time: bigint): TestItem[] {
  return [transferItem(time)]
}

/** Gives every test of a file an empty folder to write a stream into, and a log and store to import it to. */
export function beforeEachImport(assign: (root: string, world: ImportWorld) => void): void {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'import-'))
    assign(root, new ImportWorld())
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
}
