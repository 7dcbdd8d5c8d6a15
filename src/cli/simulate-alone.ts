import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { NetworkFolder } from '#src/simulator/network-folder.ts'
import { resolveOptions } from '#src/simulator/options.ts'
import { type RunSimulatorOptions, runSimulator, type SimulatorSummary } from '#src/simulator/run.ts'

const lockName = '.simulator.lock'

/**
 * Runs the simulator in a folder that no other simulator writes to meanwhile. Throws `data_folder_busy` while one does;
 * a folder that is not a simulated network's is refused before anything is put into it.
 */
export async function simulateAlone(run: RunSimulatorOptions): Promise<SimulatorSummary> {
  const lockFile = join(run.folder, lockName)
  const folder = new NetworkFolder(run.folder)
  if (!existsSync(lockFile)) folder.load(resolveOptions(run.options ?? {}))
  const lock = takeFileLock(lockFile, (cause) => inUse(run.folder, cause))
  try {
    return await runSimulator(run)
  } finally {
    folder.removeTemporary()
    lock.release()
  }
}

function inUse(folder: string, cause: unknown): LedgerError {
  return new LedgerError(
    'data_folder_busy',
    `Another process writes its simulated network to ${folder}; stop that one, or choose another folder`,
    { folder },
    cause,
  )
}
