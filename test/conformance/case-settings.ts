import { isDeepStrictEqual } from 'node:util'
import type { HttpSettings } from '#src/http/settings.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import type { CaseConfig, CaseRows } from '#test/conformance/case-file.ts'

type Overrides = Partial<HttpSettings>

/** What a case sets otherwise than the product by default: one such setting is one reason to count its answers apart. */
export function overridesOf(config: CaseConfig, rows: CaseRows, url: string): Overrides {
  const wanted: Overrides = {
    ...(config.page_size_default !== undefined && { pageSizeDefault: config.page_size_default }),
    ...(config.page_size_max !== undefined && { pageSizeMax: config.page_size_max }),
    ...(config.bind_timestamp_range !== undefined && { bindTimestampRange: config.bind_timestamp_range }),
    ...(config.bound_range_ns !== undefined && { timeRangeMaxNs: BigInt(config.bound_range_ns) }),
    ...(config.token_balances_per_account_in_lists !== undefined && {
      tokensPerListedAccount: config.token_balances_per_account_in_lists,
    }),
    ...(config.token_balances_for_one_account !== undefined && {
      tokensPerAccount: config.token_balances_for_one_account,
    }),
    ...(config.users !== undefined && {
      users: config.users.map(({ username, password, page_size_max }) => ({
        username,
        password,
        pageSizeMax: page_size_max,
      })),
    }),
    ...(config.validate_payer_balance !== undefined && {
      contractCalls: {
        ...defaultHttpSettings.contractCalls,
        evmVersion: config.evm_version,
        validatePayerBalance: config.validate_payer_balance,
        // One after the other, without waiting.
        tracesPerSecond: 1_000,
      },
    }),
    nftOnlyMatches: hasNftMatches(rows),
    ...(mostRepeated(url) > recordedRepetitions && { maxRepeatedParameters: recordedRepetitions }),
  }
  const differs = ([name, value]: [string, unknown]) =>
    !isDeepStrictEqual(value, defaultHttpSettings[name as keyof HttpSettings])
  return Object.fromEntries(Object.entries(wanted).filter(differs))
}

/** The recorded service took fewer values of one name than the service does elsewhere; only longer lists can tell. */
const recordedRepetitions = 8

/** How often the most frequent name occurs in the query. */
function mostRepeated(url: string): number {
  const names = (url.split('?')[1] ?? '').split('&').map((pair) => pair.split('=')[0])
  return Math.max(...[...Map.groupBy(names, (name) => name).values()].map((same) => same.length))
}

/**
 * Whether the recorded service also found transactions by accounts that occur in NFT transfers only. It did so through a
 * table of its own: in cases with rows there such accounts match, in those without they do not.
 */
function hasNftMatches(rows: CaseRows): boolean {
  return (rows['entity_transaction'] ?? []).length > 0
}

/** The product's defaults with what the case changes; what shapes no answer is left out for speed. */
export function settingsWith(overrides: Overrides): HttpSettings {
  return { ...defaultHttpSettings, answerCacheBytesMax: 0, docs: false, ...overrides }
}
