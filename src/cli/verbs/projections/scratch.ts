import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { ReadStore } from '#src/ports/read-store.ts'

/** Lets work use a store of its own on the disk for temporary files, and removes it afterwards. */
export async function withScratchStore<T>(work: (scratch: ReadStore) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-scratch-'))
  const scratch = openSqliteReadStore({ folder })
  try {
    return await work(scratch)
  } finally {
    await scratch.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
