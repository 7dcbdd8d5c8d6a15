// A role for threads.int.test.ts: does what its data says.
import { once } from 'node:events'
import { LedgerError } from '#src/domain/errors.ts'
import { runInThread } from '#src/runtime/process/threads.ts'

await runInThread<string, string>(async ({ data, signal, finish, report, log }) => {
  report(`begins ${data}`)
  log('{"msg":"hello"}')
  if (data === 'fail') throw new LedgerError('disk_full', 'no space', { file: 'x', position: 7n, odd: () => 1 })
  if (data === 'vanish') process.exit(3)
  if (data === 'until-stop') await once(signal, 'abort')
  if (data === 'until-finish') await once(finish, 'abort')
})
