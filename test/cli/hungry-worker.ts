// A worker of the service that uses up its memory once a file has the name of its thread.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import type { WorkerSettings } from '#src/cli/worker.ts'

const { thread, folder } = workerData as WorkerSettings
const order = join(folder.path, 'store', 'eat')
const born = Date.now()

setInterval(() => {
  if (!existsSync(order)) return
  const [name, at] = readFileSync(order, 'utf8').split(' ')
  if (name === thread && Number(at) > born) eat()
}, 20).unref()

function eat(): void {
  const eaten: unknown[] = []
  for (;;) eaten.push(Array.from({ length: 1_000 }, (_, index) => ({ index })))
}

await import('#src/cli/worker.ts')
