import { setTimeout as sleep } from 'node:timers/promises'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import type { StepTools } from '#commands/verification/steps.ts'
import { openCompilers } from '#src/adapters/solc/compilers.ts'
import type { Compilers } from '#src/ports/compilers.ts'
import { verifyContract } from '#src/verification/verify-contract.ts'
import { benchContract, linesOfContract } from '#test/bench/verification-contract.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { chain, checksummed, contractCreated, evmAddress, VerificationFixture } from '#test/verification/fixture.ts'
import { deploy } from '#test/verification/oracle/deploy.ts'

const version = '0.8.28'
const longVersion = '0.8.28+commit.7893614a'
/** After a verification the next compiler is loaded, which takes half a second of a processor. */
const loadedMs = 2_000

export interface VerificationFigures {
  readonly preloadedMs: number
  readonly coldMs: number
  readonly runs: number
}

/** Requests for one contract, from body to answer, each with both compilations: by a compiler that was loaded before, and by one that was not. */
export async function measureVerification(runs: number, print: (line: string) => void): Promise<VerificationFigures> {
  const preloadedMs = await medianOf('preloaded', runs, {}, print)
  const coldMs = await medianOf('cold', runs, { spares: 0 }, print)
  return { preloadedMs, coldMs, runs }
}

async function medianOf(
  name: string,
  runs: number,
  limits: { readonly spares?: number },
  print: (line: string) => void,
): Promise<number> {
  const folder = await temporaryFolder()
  let compilations = 0
  const opened = openCompilers({ folder: folder.path, limits })
  const compilers: Compilers = {
    ...opened,
    use: (asked, work, signal) =>
      opened.use(
        asked,
        (compile, compiler) => {
          const counted = (input: string) => {
            compilations += 1
            return compile(input)
          }
          return work(counted, compiler)
        },
        signal,
      ),
  }
  // What is measured runs in processes that keep nobody from ending.
  const staying = setInterval(() => {}, loadedMs)
  const fixture = await deployedOn(compilers)
  try {
    await ask(fixture)
    const times: number[] = []
    compilations = 0
    for (let run = 0; run < runs; run++) {
      await sleep(loadedMs)
      const started = performance.now()
      await ask(fixture)
      times.push(performance.now() - started)
    }
    if (compilations !== 2 * runs) throw new Error(`${compilations} compilations in ${runs} verifications`)
    const sorted = times.toSorted((a, b) => a - b)
    const [least, median, most] = [0, Math.floor(runs / 2), runs - 1].map((at) => Math.round(sorted[at]!))
    print(`verification of ${linesOfContract} lines, ${name}: ${median} ms (median of ${runs}; ${least} to ${most})`)
    return median!
  } finally {
    await fixture.end()
    await compilers.close()
    await folder.remove()
    clearInterval(staying)
  }
}

async function deployedOn(compilers: Compilers): Promise<VerificationFixture> {
  const { sources, settings } = benchContract()
  const texts = Object.fromEntries(Object.entries(sources).map(([label, { content }]) => [label, content]))
  const given = encodeAbiParameters(parseAbiParameters('uint256'), [1_000_000n])
  const made = { name: 'bench', target: 'Register', sources: texts, settings, given }
  const { runtime, creation } = await deploy(made, version, compilers)
  const record = contractCreated(1n, 5_001n, Buffer.from(evmAddress, 'hex'), runtime, creation)
  const verify: StepTools['verify'] = (input, code, signal) => verifyContract(input, code, compilers, signal)
  return new VerificationFixture({ service: { verify } }).begin([record])
}

async function ask(fixture: VerificationFixture): Promise<void> {
  const named = { address: checksummed, chainId: chain, compilerVersion: longVersion, contractName: 'Register' }
  const files = { 'input.json': JSON.stringify(benchContract()) }
  const { status, body } = await fixture.post('/verify/solc-json', { ...named, files })
  if (status !== 200 || body.result[0].status !== 'perfect') throw new Error(`${status}: ${JSON.stringify(body)}`)
}
