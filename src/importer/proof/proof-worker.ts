// Entry of a thread that checks proofs.
import { parentPort, workerData } from 'node:worker_threads'
import { type Batch, type FromThread, sent, type ThreadData } from '#src/importer/proof/messages.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier } from '#src/tss/proof-verifier.ts'

if (!parentPort) throw new Error('proof-worker.ts runs in a worker thread')
const port = parentPort
const post = (message: FromThread): void => port.postMessage(message)
const pairings = await openPairings((workerData as ThreadData).pairings)
const verifier = createProofVerifier({ pairings })
let known: Ledger | undefined

port.on('message', ({ ledger, jobs }: Batch) => {
  known = ledger ?? known
  if (!known) throw new Error('a batch names no ledger, and none was named before')
  post({ kind: 'done', outcomes: verifier.verifyAll(known, jobs).map(sent) })
})
post({ kind: 'ready', library: pairings.name, reason: pairings.reason })
