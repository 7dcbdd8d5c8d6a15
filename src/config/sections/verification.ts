import { type ConfigTree, checkedText, flag, integer, list, optionalText, redacted } from '#src/config/keys.ts'

const explorerTypes = ['etherscan-v2', 'etherscan-v1', 'blockscout'] as const

/** Where sources of contracts are published. */
export interface ConfiguredExplorer {
  readonly chain: string
  readonly type: (typeof explorerTypes)[number]
  readonly url: string
  readonly apiKey?: string
  readonly local: boolean
}

/** `chain:type:url` or `chain:type:local:url`; as an object it may have a key as well. undefined: it is none. */
function toExplorer(input: unknown): ConfiguredExplorer | undefined {
  const given = typeof input === 'string' ? fromText(input) : input
  if (typeof given !== 'object' || given === null) return undefined
  const { chain, type, url, apiKey, local = false } = given as Partial<Record<keyof ConfiguredExplorer, unknown>>
  const kind = explorerTypes.find((each) => each === type)
  if (kind === undefined || typeof local !== 'boolean' || !/^\d{1,20}$/.test(String(chain))) return undefined
  if (typeof url !== 'string' || !isBase(url, local)) return undefined
  if (apiKey !== undefined && (typeof apiKey !== 'string' || apiKey === '')) return undefined
  return { chain: String(chain), type: kind, url, local, ...(apiKey !== undefined && { apiKey }) }
}

function fromText(text: string): object | undefined {
  const [, chain, type, local, url] = /^(\d+):([\w-]+):(local:)?(https?:.+)$/.exec(text) ?? []
  return chain === undefined ? undefined : { chain, type, url, local: local !== undefined }
}

/** Keys have a place of their own, where they are not printed. */
function isBase(text: string, local: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, password } = new URL(text)
  const isPlain = search === '' && hash === '' && username === '' && password === ''
  return isPlain && (protocol === 'https:' || (local && protocol === 'http:'))
}

/** How contracts are verified: from what explorers publish, and from what callers send. */
export const verificationSettings = {
  verification: {
    enabled: flag({ default: true, description: 'Whether contracts can be verified here' }),
    prefix: checkedText(
      {
        default: '/verification',
        description:
          'What the addresses of the verification API begin with besides the root, for clients that are set to one',
      },
      'path such as /verification',
      (input) => /^(\/[\w.~-]+)+$/.test(input),
    ),
    explorers: list<ConfiguredExplorer>(
      {
        default: [],
        secret: true,
        redact: (explorers) => explorers.map((each) => ('apiKey' in each ? { ...each, apiKey: redacted } : each)),
        description:
          'Explorers that sources of contracts are asked of, in this order: `chain:type:url` parts, or objects with these names, `apiKey` and `local` in the file. The type is etherscan-v2, etherscan-v1 or blockscout, the address is that in front of `/api` or `/v2/api`. One with `local:` before its address may be at http and at a private address',
      },
      'list of chain:type:url',
      toExplorer,
    ),
    apiKey: optionalText({
      secret: true,
      description: 'Key for explorers that have none of their own, unless a request brings one',
    }),
    explorerTimeoutMs: integer({
      default: 10_000,
      min: 100,
      max: 120_000,
      unit: 'ms',
      description: 'An explorer that has not answered wholly by then is given up',
    }),
    explorerMaxMiB: integer({
      default: 10,
      min: 1,
      max: 100,
      unit: 'MiB',
      description: 'Most that an explorer may answer',
    }),
    origins: list<string>(
      {
        default: [],
        description: 'Origins, such as https://page.example, of pages elsewhere that may use sessions here',
      },
      'list of origins',
      (input) =>
        typeof input === 'string' && URL.canParse(input) && new URL(input).origin === input ? input : undefined,
    ),
    secureCookies: flag({ default: false, description: 'Whether cookies of sessions are for https alone' }),
    requestsPerSecond: integer({
      default: 2,
      min: 0,
      max: 10_000,
      description:
        'Verifications that a client may ask a thread for within a second; more are answered with status 429. 0: any number',
    }),
    waitMs: integer({
      default: 30_000,
      min: 0,
      max: 600_000,
      unit: 'ms',
      description: 'A request whose verification takes longer is answered with status 202 and its id',
    }),
    atOnceMax: integer({
      default: 32,
      min: 1,
      max: 10_000,
      description: 'Verifications that a thread works on at once; further ones are answered with status 503',
    }),
    takeOverMs: integer({
      default: 120_000,
      min: 100,
      max: 3_600_000,
      unit: 'ms',
      description: 'A verification that its process has not moved for so long is taken over by another one',
    }),
    compileMs: integer({
      default: 60_000,
      min: 1_000,
      max: 600_000,
      unit: 'ms',
      description: 'A compilation, or the loading of a compiler, that takes longer is ended',
    }),
    compilerMemoryMiB: integer({
      default: 1_024,
      min: 256,
      max: 4_096,
      unit: 'MiB',
      description:
        'A compiler whose process is larger is ended; it takes some 150 MiB for itself. WebAssembly has 4 GiB at most',
    }),
    compilersAtOnce: integer({
      default: 1,
      min: 1,
      max: 64,
      description: 'Compilers that run at once for a thread; a core and the memory above for each',
    }),
    compilersWaitingMax: integer({
      default: 16,
      min: 0,
      max: 10_000,
      description: 'Verifications that wait for a compiler; further ones are told `overloaded`, with status 503',
    }),
    compilersLoaded: integer({
      default: 1,
      min: 0,
      max: 16,
      description:
        'Compilers that are loaded beforehand, of the versions used last, for ten minutes each: half the time of a verification for some 220 MiB',
    }),
  },
} as const satisfies ConfigTree
