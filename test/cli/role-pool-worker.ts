// A role for the tests of the pool: how it fails, and when, depends on its name.
import type { RoleReport } from '#src/cli/roles/role.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import type { WorkerSettings } from '#src/cli/worker.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { runInThread } from '#src/runtime/process/threads.ts'

await runInThread<WorkerSettings, RoleReport>(async ({ data, report, signal }) => {
  if (data.role === 'import') throw new LedgerError('source_unavailable', 'no such source')
  report({ kind: 'ready', role: data.role, url: `http://127.0.0.1:${data.config.port}` })
  if (data.thread === 'hungry' && data.config.port === 1) setTimeout(eat, 50)
  if (data.thread === 'starving') setTimeout(eat, 50)
  await untilAborted(signal)
  if (data.role === 'project') throw new LedgerError('disk_full', 'no room for the last commit')
})

/** All memory that the thread may have. */
function eat(): void {
  const eaten: unknown[] = []
  for (;;) eaten.push(Array.from({ length: 1_000 }, (_, index) => ({ index })))
}
