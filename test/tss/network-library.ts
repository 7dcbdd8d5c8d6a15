import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ProofJob } from '#src/tss/proof-verifier.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { fieldOf, fieldsOf, numberOf } from '#test/tss/vectors.ts'

/** Java starts in two seconds; a signature takes some 30 ms. */
const judgeMs = 60_000
const signatureMs = 200

/**
 * Whether the library with which real nodes sign and verify accepts each of these; that of generation 1. `publication` is what a network
 * publishes of its ledger, `jars` the folder of the library.
 */
export async function judge(jars: string, publication: Uint8Array, jobs: readonly ProofJob[]): Promise<boolean[]> {
  const id = hexOf(fieldOf(Buffer.from(publication), 1) as Buffer)
  const lines = jobs.map(({ signature, message }) => `verify ${id} ${hexOf(signature)} ${hexOf(message)}`)
  const answers = (await ask(jars, [ledgerLine(Buffer.from(publication)), ...lines])).trim().split('\n')
  if (answers.length !== jobs.length) {
    throw new Error(`the network's library answered ${answers.length} of ${jobs.length}`)
  }
  // It throws where the length is none it knows.
  return answers.map((answer) => answer === 'true')
}

/** Its answers to these lines. It unpacks native code, which it leaves behind. */
async function ask(jars: string, lines: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  const program = join(import.meta.dirname, 'NetworkLibrary.java')
  const args = ['-Xmx512m', `-Djava.io.tmpdir=${folder.path}`, program, jars]
  try {
    const timeout = judgeMs + lines.length * signatureMs
    const child = spawn('java', args, { stdio: ['pipe', 'pipe', 'inherit'], timeout })
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    // A broken pipe: how it ended says more.
    child.stdin.on('error', () => undefined)
    child.stdin.end([...lines, ''].join('\n'))
    const [output, code] = await Promise.all([text(child.stdout), ended])
    if (code !== 0) throw new Error(`the network's library ended with ${code}:\n${output}`)
    return output
  } finally {
    await folder.remove()
  }
}

function ledgerLine(publication: Buffer): string {
  const nodes = fieldsOf(publication, 3).map(
    (node) => `${hexOf(fieldOf(node, 3) as Buffer)} ${numberOf(node, 2)} ${numberOf(node, 1)}`,
  )
  return ['ledger', hexOf(fieldOf(publication, 2) as Buffer), ...nodes].join(' ')
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
