import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createEVM } from '@ethereumjs/evm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StepTools } from '#commands/verification/steps.ts'
import { getCompilerFile } from '#src/adapters/solc/compiler-files.ts'
import { parseEvmAddress } from '#src/domain/verification/checksum-address.ts'
import type { Compilers } from '#src/ports/compilers.ts'
import { verifyContract } from '#src/verification/verify-contract.ts'
import { findNpmTool } from '#test/support/npm-tool.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { chain, contractCreated, VerificationFixture } from '#test/verification/fixture.ts'
import { keptCompilers } from '#test/verification/kept-compilers.ts'
import { fixturesFor } from '#test/verification/oracle/fixtures.ts'

const version = '0.8.28'
/** Somebody's project: constructor arguments with immutables, and libraries that are linked after compiling. */
const contracts = fixturesFor(version).filter(({ name }) => name === 'immutables' || name === 'libraries')
const arguments_: Readonly<Record<string, readonly string[]>> = { Vault: ['99', '0x1122334455667788'], Teller: [] }
const addresses: Readonly<Record<string, string>> = { Vault: '4a'.repeat(20), Teller: '4b'.repeat(20) }
const library = '5c'.repeat(20)
const settings = { optimizer: { enabled: true, runs: 200 } }

interface Client {
  readonly name: string
  readonly packages: readonly string[]
  /** Below the package. */
  readonly program: string
  /** Text of the configuration. `apiUrl` is where the plug-in asks, `rpcUrl` a relay. */
  config(soljson: string, apiUrl: string, rpcUrl: string): string
  readonly verb: readonly string[]
  readonly verified: RegExp
}

/** Hardhat without internet: it is given the compiler that comes with the product. */
const clients: readonly Client[] = [
  {
    name: 'hardhat-verify 2, which sends metadata and sources',
    packages: ['hardhat@2.26.3', '@nomicfoundation/hardhat-verify@2.1.3'],
    program: 'internal/cli/bootstrap.js',
    config: (soljson, apiUrl, url) => `
      require('@nomicfoundation/hardhat-verify')
      const { subtask } = require('hardhat/config')
      const build = ${JSON.stringify({ compilerPath: soljson, isSolcJs: true, version, longVersion: `${version}+commit.7893614a` })}
      subtask('compile:solidity:solc:get-build', async () => build)
      module.exports = {
        solidity: ${JSON.stringify({ version, settings })},
        networks: { ledger: { url: '${url}' } },
        etherscan: { enabled: false },
        sourcify: { enabled: true, apiUrl: '${apiUrl}', browserUrl: '${apiUrl}/repository' },
      }`,
    verb: ['verify'],
    verified: /Successfully verified contract/,
  },
  {
    name: 'hardhat-verify 3, which begins a job and asks for its end',
    packages: ['hardhat@3.18.0', '@nomicfoundation/hardhat-verify@3.1.1'],
    program: 'dist/src/cli.js',
    config: (soljson, apiUrl, url) => `
      import verify from '@nomicfoundation/hardhat-verify'
      export default {
        plugins: [verify],
        solidity: ${JSON.stringify({ version, path: soljson, settings })},
        networks: { ledger: { type: 'http', chainType: 'l1', url: '${url}' } },
        verify: { etherscan: { enabled: false }, blockscout: { enabled: false }, sourcify: { enabled: true, apiUrl: '${apiUrl}' } },
      }`,
    verb: ['verify', 'sourcify'],
    verified: /Contract verified successfully on Sourcify/,
  },
]

let compilers: Compilers
beforeAll(async () => {
  compilers = await keptCompilers()
})
afterAll(() => compilers.close())

for (const client of clients) {
  const tool = await findNpmTool(client.packages)
  const missing = 'missing' in tool ? ` (skipped: ${tool.missing})` : ''
  if (missing !== '') console.warn(`skipped: ${client.name}${missing}`)

  describe.skipIf(missing !== '')(`${client.name}${missing}`, () => {
    it('verifies a project from its compilation to "verified", and says so when asked again', async () => {
      const folder = await temporaryFolder()
      const project = new Project(folder.path, 'modules' in tool ? tool.modules : '', client)
      project.configure('http://127.0.0.1:9', 'http://127.0.0.1:9')
      await project.run(['compile'])
      const fixture = await deployed(project)
      const relay = await startRelay(fixture)
      try {
        const server = await fixture.app.listen({ port: 0, host: '127.0.0.1' })
        project.configure(`${server}/server`, relay.url)
        for (const { target } of contracts) {
          const address = `0x${addresses[target]}`
          const args = [...client.verb, '--network', 'ledger', address, ...arguments_[target]!]
          expect(await project.run(args)).toMatch(client.verified)
          await fixture.fold()
          expect(await project.run(args)).toMatch(/already been verified/)
          const { body } = await fixture.get(`/v2/contract/${chain}/${address}?fields=compilation,sources`)
          expect(body).toMatchObject({
            match: 'exact_match',
            creationMatch: 'exact_match',
            compilation: { name: target },
          })
        }
      } finally {
        await relay.close()
        await fixture.end()
        await folder.remove()
      }
    }, 180_000)
  })
}

class Project {
  readonly folder: string
  readonly #modules: string
  readonly #client: Client

  constructor(folder: string, modules: string, client: Client) {
    this.folder = folder
    this.#modules = modules
    this.#client = client
    symlinkSync(modules, join(folder, 'node_modules'))
    for (const [label, text] of contracts.flatMap(({ sources }) => Object.entries(sources))) {
      const file = join(folder, 'contracts', label)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }

  configure(apiUrl: string, rpcUrl: string): void {
    const text = this.#client.config(getCompilerFile(this.folder, version).path, apiUrl, rpcUrl)
    const type = text.includes('export default') ? 'module' : 'commonjs'
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify({ name: 'project', type }))
    writeFileSync(join(this.folder, 'hardhat.config.js'), text)
  }

  /** What hardhat says; rejects with it where it fails. */
  run(args: readonly string[]): Promise<string> {
    const program = join(this.#modules, 'hardhat', this.#client.program)
    const home = {
      HOME: this.folder,
      XDG_DATA_HOME: this.folder,
      XDG_CACHE_HOME: this.folder,
      XDG_CONFIG_HOME: this.folder,
    }
    const env = { PATH: process.env['PATH'], ...home, CI: '1', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' }
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [program, ...args], { cwd: this.folder, env, timeout: 120_000 }, (error, out, err) => {
        if (error === null) resolve(out)
        else reject(new Error(`hardhat ${args.join(' ')} failed: ${out}${err}`))
      })
    })
  }
}

interface Artifact {
  readonly bytecode: string
  readonly linkReferences: Readonly<Record<string, Readonly<Record<string, readonly { readonly start: number }[]>>>>
}

/** A ledger on which the project's contracts are, as its own compilation made them. */
async function deployed(project: Project): Promise<VerificationFixture> {
  const records = []
  for (const [index, { target, sources, given }] of contracts.entries()) {
    const label = Object.keys(sources).find((each) => sources[each]!.includes(`contract ${target}`))!
    const file = join(project.folder, 'artifacts', 'contracts', label, `${target}.json`)
    const { bytecode, linkReferences } = JSON.parse(readFileSync(file, 'utf8')) as Artifact
    let text = bytecode.slice(2)
    for (const { start } of Object.values(linkReferences).flatMap((each) => Object.values(each).flat()))
      text = text.slice(0, start * 2) + library + text.slice(start * 2 + library.length)
    const creation = Buffer.from(text + given.slice(2), 'hex')
    const evm = await createEVM()
    const { execResult } = await evm.runCall({ data: creation, gasLimit: 30_000_000n })
    if (execResult.exceptionError) throw new Error(`${target} is not created: ${execResult.exceptionError.error}`)
    const code = Buffer.from(execResult.returnValue)
    const address = Buffer.from(addresses[target]!, 'hex')
    records.push(contractCreated(BigInt(index + 1), BigInt(5_001 + index), address, code, creation))
  }
  const verify: StepTools['verify'] = (input, code, signal) => verifyContract(input, code, compilers, signal)
  return new VerificationFixture({ service: { verify } }).begin(records)
}

/** The two calls that the plug-in makes of a JSON-RPC relay. */
async function startRelay({ reads }: VerificationFixture) {
  const answerOf = async ({ method, params }: { method: string; params?: readonly string[] }) => {
    if (method === 'eth_chainId') return `0x${Number(chain).toString(16)}`
    if (method !== 'eth_getCode') throw new Error(`the relay knows no ${method}`)
    const digits = parseEvmAddress(params![0]!)!
    const { code } = await reads.find(chain, { kind: 'address', digits })
    return `0x${Buffer.from(code.runtime ?? []).toString('hex')}`
  }
  const server = createServer(async (request, response) => {
    const { id, ...call } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const body = await answerOf(call).then(
      (result) => ({ jsonrpc: '2.0', id, result }),
      ({ message }: Error) => ({ jsonrpc: '2.0', id, error: { code: -32601, message } }),
    )
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
