import { hash } from 'node:crypto'
import type { LedgerError } from '#src/domain/errors.ts'
import { ProofPool, type ProofRequest } from '#src/importer/proof/proof-pool.ts'
import { importerDefaults } from '#src/importer/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { readLedgerPublication } from '#src/tss/ledger.ts'
import type { StageOptions, StageResult } from '#test/bench/stages.ts'

export interface ProofOptions {
  readonly pairings: 'fast' | 'reference'
  /** Whether groups of nodes sign that have signed before, or each block one that never has. */
  readonly signers: 'known' | 'new'
  readonly blocks: number
}

/** As many nodes as the public networks have, about. */
const nodes = 31
const knownGroups = 16
const newGroups = 1_000_000
const threads = 2
/** Proofs whose verdicts are compared between libraries. */
const judged = 40
/** Prime, so that all of a signature is damaged somewhere. */
const damageStride = 997

/** Proofs of blocks on two threads, as many asked for at a time as the importer does. `digest` is that of verdicts, which all libraries share. */
export async function blockProofs({ proofs }: StageOptions): Promise<StageResult> {
  if (!proofs) throw new Error('the stage of proofs is told which')
  const { pairings, signers, blocks } = proofs
  const pool = new ProofPool({ logger: silentLogger, threads, pairings })
  const requests = await requestsOf(signers, blocks)
  // Threads, library, key and, where they are known, the groups.
  await checkAll(pool, await requestsOf(signers, 2 * knownGroups, 'warm up'))
  const cpu = process.cpuUsage()
  const started = performance.now()
  await checkAll(pool, requests)
  const seconds = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const verdicts = await verdictsOf(pool, requests.slice(0, judged))
  await pool.close()
  const refused = verdicts.filter((verdict) => verdict.startsWith('proof_invalid')).length
  return {
    count: blocks,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    digest: hash('sha256', verdicts.join('\n')),
    note: `of ${judged} besides, every second damaged, ${refused} were refused`,
  }
}

async function requestsOf(signers: ProofOptions['signers'], blocks: number, name = 'block'): Promise<ProofRequest[]> {
  const network = await createSimulatedLedger({
    seed: 'bench',
    weights: Array.from({ length: nodes }, (_, node) => 10 + node),
    groups: signers === 'known' ? knownGroups : newGroups,
  })
  const ledger = readLedgerPublication(network.publication, 'block 0')
  return Array.from({ length: blocks }, (_, number) => {
    const message = hash('sha384', `${name} ${number}`, 'buffer')
    return { ledger, name: `${name} ${number}`, message, signature: network.sign(message) }
  })
}

async function checkAll(pool: ProofPool, requests: readonly ProofRequest[]): Promise<void> {
  const flying = new Set<Promise<unknown>>()
  for (const request of requests) {
    const checking = pool.check(request).finally(() => flying.delete(checking))
    flying.add(checking)
    if (flying.size >= importerDefaults.blocksInFlightMax) await Promise.race(flying)
  }
  await Promise.all(flying)
}

/** Of each request as a text, every second one with a byte of its signature changed. */
function verdictsOf(pool: ProofPool, requests: readonly ProofRequest[]): Promise<string[]> {
  return Promise.all(
    requests.map((request, at) => {
      const signature = Buffer.from(request.signature)
      const place = (at * damageStride) % signature.length
      if (at % 2 === 1) signature.writeUInt8(signature.readUInt8(place) ^ 1, place)
      return pool.check({ ...request, signature }).then(
        ({ form, generation }) => `${form} ${generation}`,
        (error: LedgerError) => `${error.code}: ${error.message}`,
      )
    }),
  )
}
