// A role for the tests of the crew: what it does when it is told to stop depends on its name.
import type { RoleReport } from '#src/cli/roles/role.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import type { WorkerSettings } from '#src/cli/worker.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { runInThread } from '#src/runtime/threads.ts'

await runInThread<WorkerSettings, RoleReport>(async ({ data, report, signal }) => {
  report({ kind: 'ready', role: data.role })
  await untilAborted(signal)
  if (data.role === 'project') throw new LedgerError('disk_full', 'no room for the last commit')
})
