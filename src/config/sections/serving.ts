import { type ConfigTree, decimal, flag, integer, type Key, list, optionalText, redacted } from '#src/config/keys.ts'
import { statusTokenForm, toStatusToken } from '#src/config/sections/status-token.ts'
import {
  type HealthMetricName,
  healthMetricNames,
  type Thresholds,
  type WatchedPart,
  watchedParts,
} from '#src/domain/status/health-metrics.ts'
import { formatAccountRange, parseAccountRange, unreleasedRanges } from '#src/domain/unreleased-accounts.ts'
import { parseIpNetwork } from '#src/http/ip-network.ts'
import type { ApiUser, StatusToken } from '#src/http/settings.ts'

function toApiUser(input: unknown): ApiUser | undefined {
  const record = typeof input === 'object' && input !== null ? (input as Partial<Record<keyof ApiUser, unknown>>) : {}
  const [username, password, size] =
    typeof input === 'string' ? input.split(':') : [record.username, record.password, record.pageSizeMax]
  const pageSizeMax = Number(size)
  if (typeof username !== 'string' || typeof password !== 'string' || username === '') return undefined
  return Number.isInteger(pageSizeMax) && pageSizeMax > 0 ? { username, password, pageSizeMax } : undefined
}

/** A figure and what it means when it is above which value. */
export interface HealthLevels {
  readonly metric: HealthMetricName
  readonly thresholds: Thresholds
}

function toHealthLevels(input: unknown): HealthLevels | undefined {
  const [name, ...values] = typeof input === 'string' ? input.split(':') : []
  const metric = healthMetricNames.find((each) => each === name)
  const thresholds = values.map((value) => (value === '' ? null : Number(value)))
  const given = thresholds.filter((each) => each !== null)
  const isAscending = given.every((each, index) => each >= 0 && (index === 0 || each > given[index - 1]!))
  const [degraded, partial, major, ...more] = thresholds
  if (degraded === undefined || partial === undefined || major === undefined || more.length > 0) return undefined
  if (metric === undefined || given.length === 0 || !isAscending) return undefined
  return { metric, thresholds: [degraded, partial, major] }
}

function seconds(of: number, description: string): Key<number> {
  return decimal({ default: of, min: 0, max: 86_400, unit: 's', description })
}

/** What is answered, by the API and the status page. */
export const servingSettings = {
  api: {
    threads: integer({
      default: 0,
      min: 0,
      max: 64,
      description:
        'Threads that answer requests, on one address; 0 takes as many as the machine has cores, at most 8, for `serve`, and one for `start`',
    }),
    pageSizeDefault: integer({
      default: 25,
      min: 1,
      max: 10_000,
      description: 'Rows of a page when the request says nothing',
    }),
    pageSizeMax: integer({ default: 100, min: 1, max: 10_000, description: 'Most rows of a page' }),
    tokensPerAccount: integer({
      default: 1_000,
      min: 1,
      max: 10_000,
      description: 'Most tokens that an account shows where it is the only one that was asked for',
    }),
    tokensPerListedAccount: integer({
      default: 50,
      min: 1,
      max: 10_000,
      description: 'Most tokens that each account of a list shows',
    }),
    unreleasedAccounts: list<string>(
      {
        default: unreleasedRanges.map(formatAccountRange),
        description:
          'Accounts whose balances are not part of the released supply: numbers in shard 0 and realm 0, or ranges of them. ' +
          'Others than these are added up one by one for each answer',
      },
      'list of numbers and ranges such as 200-349, of 10,000 accounts at most',
      (input) => (typeof input === 'string' && parseAccountRange(input) !== undefined ? input : undefined),
    ),
    bindTimestampRange: flag({
      default: false,
      description: 'Bound the time range that one transaction list looks through',
    }),
    maxTimestampRangeDays: integer({
      default: 60,
      min: 1,
      max: 3_650,
      unit: 'days',
      description: 'Length of that range',
    }),
    requestTimeoutMs: integer({
      default: 20_000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      description: 'A request that searches longer is given up with status 503',
    }),
    maxWaitMs: integer({
      default: 10_000,
      min: 0,
      max: 600_000,
      unit: 'ms',
      description: 'Longest wait for the consensus time that a request names in the header `Ledger-Wait-For`',
    }),
    waitsPerClientMax: integer({
      default: 100,
      min: 1,
      max: 10_000,
      description:
        'Requests of one client that wait so at once; further ones are answered with status 503. A client is an IPv4 address or an IPv6 network of 64 bits',
    }),
    waitsAtOnceMax: integer({
      default: 1_000,
      min: 1,
      max: 50_000,
      description: 'Requests of all clients that wait so at once; further ones are answered with status 503',
    }),
    trustedProxies: list<string>(
      {
        default: [],
        description:
          'Addresses and networks, such as 10.0.0.0/8, of proxies whose `X-Forwarded-For` says who the client is. Whoever connects otherwise is the client himself, so that without them all that comes through a proxy counts as one',
      },
      'list of IP addresses and networks',
      (input) => (typeof input === 'string' && parseIpNetwork(input) !== undefined ? input : undefined),
    ),
    docs: flag({ default: true, description: 'Whether `/api/v1/docs` is served' }),
    chainId: integer({
      default: 0,
      min: 0,
      max: 4_294_967_295,
      description:
        'Chain of results whose transaction names none, as the EVM knows the network (EIP-155). 0: 295 of `mainnet`, 296 of `testnet`, 297 of `previewnet`, 298 of all others',
    }),
    nftOnlyMatches: flag({
      default: false,
      description: 'Whether the account filter also finds transactions that only move NFTs of the account',
    }),
    lagBudgetSeconds: integer({
      default: 60,
      min: 1,
      max: 86_400,
      unit: 's',
      description: 'How far a read model may be behind the log for `/health/readiness` to say ready',
    }),
    users: list<ApiUser>(
      {
        default: [],
        secret: true,
        redact: (users) => users.map((user) => ({ ...user, password: redacted })),
        description:
          'Who may ask for larger pages: `username:password:pageSizeMax` parts, or objects with these names in the file',
      },
      'list of username:password:pageSizeMax',
      toApiUser,
    ),
  },

  status: {
    tokens: list<StatusToken>(
      {
        default: [],
        flag: 'status-tokens',
        secret: true,
        redact: (tokens) => tokens.map(({ name, role }) => `${name}:${role}:${redacted}`),
        description:
          'Who may write to the status page: `name:role:sha256` parts, or objects with these names in the file. The role is operator or automation; the third part is the SHA-256 of a bearer token, as `printf %s "$token" | sha256sum` prints it. A fourth part, `expires`, is the last day on which the token is good, or the instant until which it is. Without any, nobody may',
      },
      `list of ${statusTokenForm}`,
      toStatusToken,
    ),
    tokensFile: optionalText({
      flag: 'status-tokens-file',
      description:
        'Further ones, a line each, in a file that is read again when it changes: a line that is added or taken out counts within a second, without a restart. Lines that begin with # are comments',
    }),
    commandsPerMinuteMax: integer({
      default: 120,
      min: 1,
      max: 100_000,
      description: 'Most commands of one token within a minute; more are answered with 429',
    }),
    watch: list<WatchedPart>(
      {
        default: watchedParts,
        flag: 'status-watch',
        description:
          'Parts of the deployment whose health the page shows, as far as `status setup` or `start` made components of them; an empty list watches none. Leave `import` out where the source is an archive, whose newest transaction is old for good',
      },
      `list of ${watchedParts.join(', ')}`,
      (input) => watchedParts.find((part) => part === input),
    ),
    levels: list<HealthLevels>(
      {
        default: [],
        flag: 'status-levels',
        description: `Above which values a figure means degraded performance, partial outage and major outage, where that is not what the docs say: \`metric:degraded:partial:major\`, empty for never. Metrics: ${healthMetricNames.join(', ')}`,
      },
      'list of metric:degraded:partial:major, ascending',
      toHealthLevels,
    ),
    holdSeconds: seconds(60, 'How long a figure has to be above a value until that counts'),
    recoverSeconds: seconds(120, 'How long a figure has to be below half of its first value until all is well again'),
    silenceSeconds: seconds(90, 'A part of which nothing is measured for so long counts as a major outage'),
    stableSeconds: seconds(300, 'How long all has to be well until an incident that was opened by itself is resolved'),
    coolDownSeconds: seconds(300, 'So long after such an incident, no other one is opened for the same component'),
    publishAfterSeconds: seconds(
      600,
      'Where the page is set to propose incidents only, a major outage of this length is published all the same',
    ),
  },
} as const satisfies ConfigTree
