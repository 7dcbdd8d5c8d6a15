import type { DataFolder } from '#src/cli/data-folder.ts'
import type { Role, RoleReport } from '#src/cli/roles/role.ts'
import type { VerbContext } from '#src/cli/run-verb.ts'
import { showStatus } from '#src/cli/show-status.ts'
import { StatusBoard } from '#src/runtime/watch/status.ts'

export interface RunRoleOptions {
  readonly verb: VerbContext
  readonly folder: DataFolder
  readonly only?: readonly string[]
  /** End when what is there to do is done. */
  readonly finish: boolean
  /** What the role reports; a new one unless given. */
  readonly board?: StatusBoard
  readonly onReady?: (report: RoleReport & { kind: 'ready' }) => void
}

/** Runs one role in this process, with the same code as on a thread of `start`. Returns what it reported. */
export async function runRole(
  role: Role,
  { verb, folder, only, finish, onReady, board = new StatusBoard(() => performance.now()) }: RunRoleOptions,
): Promise<StatusBoard> {
  const { config, logger, terminal, signal } = verb
  const { Registry } = await import('prom-client')
  const stopShowing = showStatus(board, terminal, logger)
  try {
    await role({
      config,
      folder,
      ...(only ? { only } : {}),
      logger,
      registry: new Registry(),
      signal,
      finish: finish ? AbortSignal.abort() : new AbortController().signal,
      otherMetrics: new Map(),
      report: (report) => {
        if (report.kind === 'import') board.setImport(report.status)
        else if (report.kind === 'projections') board.setProjections(report.projections)
        else onReady?.(report)
      },
    })
  } finally {
    stopShowing()
  }
  return board
}
