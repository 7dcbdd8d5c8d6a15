import { describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { startThread } from '#src/runtime/process/threads.ts'

function given(data: string) {
  const reports: string[] = []
  const lines: string[] = []
  const begun = Promise.withResolvers<void>()
  const thread = startThread<string>({
    heap: { youngMiB: 16, oldMiB: 64 },
    name: 'test',
    entry: new URL('./threads-worker.ts', import.meta.url),
    data,
    onReport: (report) => {
      reports.push(report)
      begun.resolve()
    },
    onLog: (line) => lines.push(line),
  })
  return { thread, reports, lines, begun: begun.promise }
}

describe('role on a thread', () => {
  it('reports, logs and ends by itself', async () => {
    const { thread, reports, lines } = given('nothing')
    await thread.ended
    expect(reports).toEqual(['begins nothing'])
    expect(lines).toEqual(['{"msg":"hello"}'])
  })

  it('fails with the same code, message and details that it threw', async () => {
    const error: unknown = await given('fail').thread.ended.catch((reason: unknown) => reason)
    expect(isLedgerError(error, 'disk_full')).toBe(true)
    expect(error).toMatchObject({ message: 'no space', details: { file: 'x', position: 7n } })
  })

  it('that ends without a word is a failure, too', async () => {
    await expect(given('vanish').thread.ended).rejects.toThrow('thread test ended with code 3 without saying why')
  })

  it('ends when it is asked to stop, or to finish', async () => {
    const stopped = given('until-stop')
    await stopped.begun
    stopped.thread.stop()
    await stopped.thread.ended
    const finished = given('until-finish')
    await finished.begun
    finished.thread.finish()
    await finished.thread.ended
  })
})
