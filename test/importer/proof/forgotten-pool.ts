// Checks one proof and forgets to close the pool: the process has to end all the same.
import { ProofPool } from '#src/importer/proof/proof-pool.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { readLedgerPublication } from '#src/tss/ledger.ts'

const { publication, sign } = await createSimulatedLedger({ seed: 'pool', weights: [1, 2] })
const message = Buffer.alloc(48, 1)
const pool = new ProofPool({ logger: silentLogger, threads: 2 })
const request = { ledger: readLedgerPublication(publication, 'block 0'), name: 'block 1', message }
console.log((await pool.check({ ...request, signature: sign(message) })).form)
