// A role for the tests of the crew: how it fails, and when, depends on its name.
import type { RoleReport } from '#src/cli/roles/role.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import type { WorkerSettings } from '#src/cli/worker.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { runInThread } from '#src/runtime/process/threads.ts'

await runInThread<WorkerSettings, RoleReport>(async ({ data, report, signal }) => {
  if (data.role === 'import') throw new LedgerError('source_unavailable', 'no such source')
  report({ kind: 'ready', role: data.role })
  await untilAborted(signal)
  if (data.role === 'project') throw new LedgerError('disk_full', 'no room for the last commit')
})
