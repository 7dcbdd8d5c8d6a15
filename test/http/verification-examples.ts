import type { StepTools } from '#commands/verification/steps.ts'
import type { Example } from '#src/http/reference/examples.ts'
import { verifyContract } from '#src/verification/verify-contract.ts'
import {
  chain,
  checksummed,
  contractCreated,
  evmAddress,
  published,
  VerificationFixture,
} from '#test/verification/fixture.ts'
import { keptCompilers } from '#test/verification/kept-compilers.ts'
import { deploy, inputOf } from '#test/verification/oracle/deploy.ts'
import { fixturesFor } from '#test/verification/oracle/fixtures.ts'

const version = '0.8.28'
const compilerVersion = `${version}+commit.7893614a`
const made = fixturesFor(version).find(({ name }) => name === 'immutables')!
const [label = '', source = ''] = Object.entries(made.sources)[0]!
const standardJson = { language: 'Solidity', sources: { [label]: { content: source } }, settings: made.settings }
const clones = ['aa', 'bb', 'cc', 'dd'].map((each) => `0x${each.repeat(20)}`)

/** A contract with its clones on a ledger, and what each operation that verifies or shows them answers. */
export class VerificationExamples {
  readonly fixture: VerificationFixture
  readonly #close: () => Promise<void>

  private constructor(fixture: VerificationFixture, close: () => Promise<void>) {
    this.fixture = fixture
    this.#close = close
  }

  static async begin(): Promise<VerificationExamples> {
    const compilers = await keptCompilers()
    const { runtime, creation } = await deploy(made, version, compilers)
    const addresses = [evmAddress, ...clones.map((each) => each.slice(2))]
    const records = addresses.map((address, index) =>
      contractCreated(BigInt(index + 1), BigInt(5_001 + index), Buffer.from(address, 'hex'), runtime, creation),
    )
    const verify: StepTools['verify'] = (input, code, signal) => verifyContract(input, code, compilers, signal)
    const fixture = await new VerificationFixture({ docs: true, service: { verify } }).begin(records)
    const { sources, settings } = inputOf(made, version)
    const target = { name: made.target, path: label }
    fixture.explorer.answer = published(source, { sources, settings, target, compilerVersion })
    return new VerificationExamples(fixture, async () => {
      await fixture.end()
      await compilers.close()
    })
  }

  async end(): Promise<void> {
    await this.#close()
  }

  /** By the id of the operation. */
  async all(): Promise<Record<string, Example>> {
    const found = { ...(await this.#direct()), ...(await this.#shown()) }
    return { ...found, ...(await this.#jobs()), ...(await this.#session()) }
  }

  async #direct(): Promise<Record<string, Example>> {
    const named = { address: checksummed, chainId: chain }
    const input = { files: { 'input.json': JSON.stringify(standardJson) }, compilerVersion, contractName: made.target }
    return {
      verifyFromExplorer: await this.#post('/verify/explorer', named),
      verifyFromCompilerInput: await this.#post('/verify/solc-json', { ...named, ...input }),
      verifyFromFiles: await this.#post('/verify', { ...named, files: await this.#files() }),
    }
  }

  async #files(): Promise<Record<string, string>> {
    await this.fixture.fold()
    const { body } = await this.fixture.get(`/v2/contract/${chain}/${checksummed}?fields=metadata`)
    return { 'metadata.json': JSON.stringify(body.metadata), [label]: source }
  }

  async #shown(): Promise<Record<string, Example>> {
    const of = `${chain}/${checksummed}`
    const query = `addresses=${checksummed},${clones[0]}&chainIds=${chain}`
    return {
      checkByAddresses: await this.#get(`/check-by-addresses?${query}`),
      checkAllByAddresses: await this.#get(`/check-all-by-addresses?${query}`),
      getVerifiedFiles: await this.#get(`/files/${of}`),
      getAnyVerifiedFiles: await this.#get(`/files/any/${of}`),
      getVerifiedTree: await this.#get(`/files/tree/${of}`),
      getAnyVerifiedTree: await this.#get(`/files/tree/any/${of}`),
      getRepositoryFile: await this.#get(`/repository/contracts/full_match/${of}/sources/${label}`),
      getRepositoryFolder: await this.#get(`/repository/contracts/full_match/${of}`),
      getVerifiedContracts: await this.#get(`/files/contracts/${chain}`),
      getVerifiedContractsFull: await this.#get(`/files/contracts/full/${chain}`),
      getVerifiedContractsPartial: await this.#get(`/files/contracts/partial/${chain}`),
      getVerifiedContractsAny: await this.#get(`/files/contracts/any/${chain}`),
      getVerificationChains: await this.#get('/chains'),
      getVerificationHealth: await this.#get('/health'),
      getVerifiedContract: await this.#get(`/v2/contract/${of}?fields=abi,compilation,deployment`),
      getVerifiedContractsPage: await this.#get(`/v2/contracts/${chain}?limit=1`),
    }
  }

  async #jobs(): Promise<Record<string, Example>> {
    const [byInput = '', byMetadata = '', byExplorer = '', bySimilarity = ''] = clones
    const { 'metadata.json': metadata = '', ...sources } = await this.#files()
    const input = { stdJsonInput: standardJson, compilerVersion, contractIdentifier: `${label}:${made.target}` }
    const begun = await this.#post(`/v2/verify/${chain}/${byInput}`, input)
    const { verificationId } = begun.answer as { readonly verificationId: string }
    await this.#ended(verificationId)
    return {
      'startVerification-standard-json': begun,
      'startVerification-metadata': await this.#post(`/v2/verify/metadata/${chain}/${byMetadata}`, {
        sources,
        metadata: JSON.parse(metadata),
      }),
      'startVerification-explorer': await this.#post(`/v2/verify/explorer/${chain}/${byExplorer}`, {}),
      'startVerification-similarity': await this.#post(`/v2/verify/similarity/${chain}/${bySimilarity}`, {}),
      getVerificationJob: await this.#get(`/v2/verify/${verificationId}`),
    }
  }

  async #ended(id: string): Promise<void> {
    for (;;) {
      await this.fixture.fold()
      const { body } = await this.fixture.get(`/v2/verify/${id}`)
      if (body.isJobCompleted) return
    }
  }

  async #session(): Promise<Record<string, Example>> {
    const named = { address: checksummed, chainId: chain }
    const first = await this.fixture.post('/session/input-files', { files: await this.#files() })
    const cookie = { cookie: String(first.headers['set-cookie']).split(';')[0]! }
    const [contract] = first.body.contracts
    const contracts = [{ verificationId: contract.verificationId, ...named }]
    return {
      addFilesToSession: await this.#post('/session/input-files', { files: await this.#files() }, cookie),
      verifySessionContracts: await this.#post('/session/verify-checked', { contracts }, cookie),
      verifyFromExplorerInSession: await this.#post('/session/verify/explorer', named, cookie),
      getVerificationSession: await this.#get('/session/data', cookie),
      clearVerificationSession: await this.#post('/session/clear', undefined, cookie),
    }
  }

  async #post(request: string, sent?: object, headers: Record<string, string> = {}): Promise<Example> {
    const { status, text, body } = await this.fixture.post(request, sent ?? '', headers)
    return { request, ...(sent !== undefined && { sent }), status, answer: body ?? text }
  }

  async #get(request: string, headers: Record<string, string> = {}): Promise<Example> {
    const { status, text, body } = await this.fixture.get(request, headers)
    return { request, status, answer: body ?? text }
  }
}
