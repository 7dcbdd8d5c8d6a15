import { type FetchOptions, fetchAnswer, type Resolve } from '#src/adapters/explorers/fetch-answer.ts'
import { readAnswer } from '#src/adapters/explorers/read-answer.ts'
import { isVerificationProblem, VerificationProblem } from '#src/domain/verification/problem.ts'
import type { ExplorerRequest, FoundSources, PublishedSources, SourceExplorers } from '#src/ports/source-explorer.ts'

/** One that is configured. */
export interface ExplorerSettings {
  readonly chain: string
  readonly type: 'etherscan-v2' | 'etherscan-v1' | 'blockscout'
  /** Where its `/api` is. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** http and private addresses are allowed; nothing that a caller sends reaches it but the address of a contract. */
  readonly local: boolean
}

export interface ExplorersOptions {
  readonly explorers: readonly ExplorerSettings[]
  /** Where an explorer has no key of its own. */
  readonly apiKey?: string | undefined
  readonly timeoutMs: number
  readonly bytesMax: number
  readonly resolve?: Resolve
}

/** What says most of why there is nothing: that somebody could not be asked comes before that others have nothing. */
const precedence = ['explorer_rate_limit', 'explorer_malformed_answer', 'language_not_supported'] as const

export function openExplorers(options: ExplorersOptions): SourceExplorers {
  const of = (chain: string) => options.explorers.filter((explorer) => explorer.chain === chain)
  return {
    has: (chain) => of(chain).length > 0,
    async find(request) {
      const explorers = of(request.chain)
      if (explorers.length === 0) {
        const message = `Requested chain ${request.chain} is not supported for importing from an explorer`
        throw new VerificationProblem('explorer_not_configured', message)
      }
      const problems: VerificationProblem[] = []
      for (const explorer of explorers) {
        try {
          return await ask(explorer, request, options)
        } catch (error) {
          if (!isVerificationProblem(error)) throw error
          problems.push(error)
        }
      }
      throw foremost(problems)
    },
  }
}

function foremost(problems: readonly VerificationProblem[]): VerificationProblem {
  const byCode = precedence.map((code) => problems.find((problem) => problem.code === code))
  const failure = problems.find(({ code }) => code !== 'explorer_not_verified')
  return byCode.find((problem) => problem !== undefined) ?? failure ?? problems[0]!
}

async function ask(
  explorer: ExplorerSettings,
  { chain, address, apiKey, signal }: ExplorerRequest,
  { apiKey: usual, timeoutMs, bytesMax, resolve }: ExplorersOptions,
): Promise<FoundSources> {
  const { local } = explorer
  const key = (local ? undefined : apiKey) ?? explorer.apiKey ?? (local ? undefined : usual) ?? ''
  const name = explorerName(explorer)
  const fetching: FetchOptions = { name, local, timeoutMs, bytesMax, signal, ...(resolve && { resolve }) }
  try {
    const answer = await fetchAnswer(addressOf(explorer, { chain, address, key }), fetching)
    const published: PublishedSources = readAnswer(answer, name)
    return { explorer: name, published }
  } catch (error) {
    throw isVerificationProblem(error) ? withoutKey(error, key) : error
  }
}

/** Some explorers repeat the key that they do not like. */
function withoutKey(problem: VerificationProblem, key: string): VerificationProblem {
  if (key === '' || !problem.message.includes(key)) return problem
  return new VerificationProblem(problem.code, problem.message.replaceAll(key, 'XXX'), problem.details)
}

function explorerName({ type, url }: ExplorerSettings): string {
  return `${type} at ${new URL(url).host}`
}

interface Asked {
  readonly chain: string
  readonly address: string
  readonly key: string
}

function addressOf({ type, url }: ExplorerSettings, { chain, address, key }: Asked): URL {
  const base = url.replace(/\/+$/, '')
  const asked = new URL(type === 'etherscan-v2' ? `${base}/v2/api` : `${base}/api`)
  if (type === 'etherscan-v2') asked.searchParams.set('chainid', chain)
  asked.searchParams.set('module', 'contract')
  asked.searchParams.set('action', 'getsourcecode')
  asked.searchParams.set('address', `0x${address}`)
  if (key !== '') asked.searchParams.set('apikey', key)
  return asked
}
