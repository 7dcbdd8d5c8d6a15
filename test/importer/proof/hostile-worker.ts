// A thread that does to a batch what the names of its blocks say, instead of checking proofs.
import { parentPort } from 'node:worker_threads'
import type { Batch, FromThread } from '#src/importer/proof/messages.ts'

if (!parentPort) throw new Error('hostile-worker.ts runs in a worker thread')
const port = parentPort
const post = (message: FromThread): void => port.postMessage(message)

port.on('message', ({ jobs }: Batch) => {
  for (const { name } of jobs) act(name, jobs.length)
  // The number of jobs stands in for a verdict, so that a test sees what was checked together.
  post({ kind: 'done', outcomes: jobs.map(() => ({ form: 'schnorr', generation: jobs.length as 1 })) })
})
post({ kind: 'ready', library: 'none', reason: 'it is a test' })

function act(name: string, companions: number): void {
  if (name === 'exit' || (name === 'exit in company' && companions > 1)) process.exit(3)
  if (name === 'throw') throw new Error('out of luck')
  if (name === 'grow') grow()
  if (name === 'hang') for (;;);
}

function grow(): void {
  const kept: unknown[] = []
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })))
}
