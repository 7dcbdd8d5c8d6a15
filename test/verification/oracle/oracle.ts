import {
  SolidityCompilation,
  type SourcifyChain,
  setLibSourcifyLoggerLevel,
  Verification,
} from '@ethereum-sourcify/lib-sourcify'
import type { Compilers } from '#src/ports/compilers.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'
import type { Deployed } from '#test/verification/oracle/deploy.ts'

/** It tells every step on the terminal otherwise. */
setLibSourcifyLoggerLevel(-1)

/** What the established library makes of the same. It compiles with our compilers. */
export async function askOracle(
  input: VerificationInput,
  { runtime, creation }: Deployed,
  compilers: Compilers,
): Promise<Readonly<Record<string, unknown>>> {
  const { signal } = new AbortController()
  const compiler = {
    compile: async (version: string, given: object) =>
      JSON.parse(await compilers.use(version, (compile) => compile(JSON.stringify(given)), signal)),
  }
  const jsonInput = {
    language: input.language,
    sources: Object.fromEntries([...input.sources].map(([label, content]) => [label, { content }])),
    settings: structuredClone(input.settings),
  }
  type Input = ConstructorParameters<typeof SolidityCompilation>[2]
  const target = { name: input.target.name, path: input.target.path ?? '' }
  const compilation = new SolidityCompilation(compiler, input.compilerVersion, jsonInput as unknown as Input, target)
  const verification = new Verification(compilation, chainOf(runtime, creation), `0x${'11'.repeat(20)}`, '0x22')
  try {
    await verification.verify()
  } catch (error) {
    return { status: null, error: (error as { readonly code?: string }).code ?? String(error) }
  }
  const { status, libraryMap, transformations } = verification
  return {
    runtimeMatch: status.runtimeMatch,
    creationMatch: status.creationMatch,
    libraryMap: (status.creationMatch === null ? libraryMap.runtime : libraryMap.creation) ?? {},
    immutables: transformations.runtime.values.immutables ?? {},
    callProtection: transformations.runtime.values.callProtection ?? null,
    constructorArguments: transformations.creation.values.constructorArguments ?? null,
  }
}

function chainOf(runtime: Buffer, creation: Buffer): SourcifyChain {
  const chain = {
    chainId: 296,
    getBytecode: async () => `0x${runtime.toString('hex')}`,
    getTx: async () => ({ blockNumber: 1, from: `0x${'33'.repeat(20)}` }),
    getContractCreationBytecodeAndReceipt: async () => ({
      creationBytecode: `0x${creation.toString('hex')}`,
      txReceipt: { index: 0 },
    }),
  }
  return chain as unknown as SourcifyChain
}
