import {
  type ConfigTree,
  checkedText,
  choice,
  decimal,
  flag,
  integer,
  list,
  optionalInstant,
  optionalInteger,
  optionalText,
  ratio,
  text,
} from '#src/config/keys.ts'
import { isMixKind, isMixPreset, mixElements } from '#src/config/mix-names.ts'

const sidecarTypes = ['state-changes', 'actions', 'bytecode'] as const
export type SidecarType = (typeof sidecarTypes)[number]

/** A named mix to begin with, or the relative frequency of one kind of transaction. */
export type MixPart = { readonly preset: string } | { readonly kind: string; readonly weight: number }

function toMixPart(input: unknown): MixPart | undefined {
  const match = typeof input === 'string' ? /^([A-Za-z][A-Za-z-]*)(?:=(\d{1,6}(?:\.\d{1,6})?))?$/.exec(input) : null
  if (!match) return undefined
  const [, name = '', weight] = match
  if (weight === undefined) return isMixPreset(name) ? { preset: name } : undefined
  return isMixKind(name) ? { kind: name, weight: Number(weight) } : undefined
}

const faultKinds = [
  'stall',
  'cut',
  'die',
  'lie',
  'skip_block',
  'skip_item',
  'repeat',
  'large_block',
  'large_message',
] as const

/** What a simulated block node does wrong with one block. */
export interface BlockNodeFault {
  readonly fault: (typeof faultKinds)[number]
  /** Of what is too large. */
  readonly bytes: number
  readonly block: bigint
}

function toFault(input: unknown): BlockNodeFault | undefined {
  const match = typeof input === 'string' ? /^([a-z_]+)(?:=(\d{1,10}))?@(\d{1,15})$/.exec(input) : null
  const fault = faultKinds.find((kind) => kind === match?.[1])
  if (match === null || fault === undefined) return undefined
  if (fault.startsWith('large') !== (match[2] !== undefined)) return undefined
  return { fault, bytes: Number(match[2] ?? 0), block: BigInt(match[3] ?? 0) }
}

function toPort(input: unknown): number | undefined {
  const port = typeof input === 'string' ? Number(input) : input
  return typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined
}

/** Anything without a scheme is a path; of the schemes there is only one. */
function isLocation(input: string): boolean {
  return /^s3:\/\/[^/\s]/.test(input) || !/^[A-Za-z][A-Za-z\d+.-]*:\/\//.test(input)
}

/** Where events come from: stream files, how they are imported, and the simulated network that writes some. */
export const sourceSettings = {
  source: {
    location: checkedText(
      {
        default: 'simulated',
        flag: 'source',
        description: 'Where record files come from; a folder is shaped like a bucket. none: only blocks are read',
      },
      'simulated, none, a folder, or s3://<bucket>',
      isLocation,
    ),
    stream: choice({
      default: 'auto',
      of: ['auto', 'records', 'blocks', 'cutover'],
      flag: 'stream',
      description:
        'What to read: record files, blocks, or record files until the network writes blocks. auto: cutover for mainnet and testnet, otherwise record files',
    }),
    pathType: choice({
      default: 'auto',
      of: ['auto', 'account-id', 'node-id'],
      description: 'Layout of the source: `recordstreams/record0.0.3/`, `<network>/0/0/record/`, or found out per node',
    }),
    pathPrefix: optionalText({ description: 'Folder inside the source in front of the layout' }),
    addressBook: optionalText({
      flag: 'address-book',
      description:
        'File with the address book to begin with. Unless given: `address_book.bin` or `address-book.bin` in the source folder',
    }),
    startDate: optionalInstant({ flag: 'start-date', description: 'Import record files after this instant' }),
    endDate: optionalInstant({ flag: 'end-date', description: 'Import record files up to this instant, then finish' }),
    pollMs: integer({
      default: 500,
      min: 10,
      max: 3_600_000,
      unit: 'ms',
      description: 'Pause between looks for new record files',
    }),
    s3: {
      endpoint: optionalText({ description: 'URL of an S3-compatible service; unless given, the one of the region' }),
      region: text({ default: 'us-east-1', description: 'Region of the bucket' }),
      accessKey: optionalText({
        description: 'Access key, or HMAC key of a compatible service; none for anonymous reads',
      }),
      secretKey: optionalText({ secret: true, description: 'Secret of the access key' }),
      billingProject: optionalText({
        description: 'Project at Google that pays where the reader of a bucket has to',
      }),
      pathStyle: flag({
        default: true,
        description:
          'Whether the bucket stands in the path of the address instead of in its host name; only with an endpoint',
      }),
      timeoutMs: integer({
        default: 30_000,
        min: 100,
        max: 600_000,
        unit: 'ms',
        description:
          'Longest wait for an answer of the bucket. All of a listing, of at most 4 MiB a page, has to be there within 30 s, all of an object within eight times that',
      }),
    },
  },

  import: {
    consensusRatio: ratio({
      default: { numerator: 1n, denominator: 3n },
      flag: 'consensus-ratio',
      description: 'Share of the stake whose signatures a file needs. 0: one valid signature is enough',
    }),
    stakeMode: choice({
      default: 'address-book',
      of: ['address-book', 'stake', 'equal'],
      flag: 'stake-mode',
      description: 'Whose stake counts: the nodes of the address book, all nodes with stake, or every node the same',
    }),
    sidecarTypes: list<SidecarType>(
      { default: sidecarTypes, flag: 'sidecar-types', description: 'Sidecar records to import' },
      `list of ${sidecarTypes.join(', ')}`,
      (input) => sidecarTypes.find((type) => type === input),
    ),
    keepRawBytes: flag({
      default: false,
      flag: 'keep-raw-bytes',
      description: 'Keep the raw transaction and record of every transaction, which `bytes` in answers then shows',
    }),
    signatureChecks: choice({
      default: 'all',
      of: ['all', 'enough'],
      description:
        'Whether to verify and record every signature of a file, or only as many as the required stake needs',
    }),
    startBlockNumber: optionalInteger({
      flag: 'start-block-number',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Number of the first block when its file carries none; of blocks the one to begin with',
    }),
  },

  simulation: {
    seed: text({
      default: 'ledger-history',
      flag: 'seed',
      description: 'Any text; same seed and settings, same bytes',
    }),
    startTime: optionalInstant({
      flag: 'start-time',
      description:
        'Ledger time at which the network begins. Unless given: just before the first start where it runs in step with the clock, else 2026-01-01',
    }),
    nodes: integer({ default: 4, min: 1, max: 100, flag: 'nodes', description: 'Nodes that sign' }),
    transactionsPerSecond: decimal({
      default: 20,
      min: 0.5,
      max: 50_000,
      flag: 'transactions-per-second',
      unit: 'transactions/s of ledger time',
      description: 'Rate',
    }),
    mix: list<MixPart>(
      {
        default: [{ preset: 'default' }],
        flag: 'mix',
        description: 'What happens: a named mix, then kinds of transactions whose frequency differs from it',
        elements: mixElements,
      },
      'list such as default,hbarTransfer=70,topicMessage=5',
      toMixPart,
    ),
    accounts: integer({
      default: 200,
      min: 10,
      max: 1_000_000,
      flag: 'accounts',
      description: 'Accounts that take part',
    }),
    blockSeconds: decimal({
      default: 2,
      min: 0.1,
      max: 60,
      flag: 'block-seconds',
      unit: 's',
      description: 'Ledger time that one record file covers',
    }),
    cutoverSeconds: decimal({
      default: 60,
      min: 0,
      max: 1_000_000_000,
      flag: 'cutover-seconds',
      unit: 's',
      description: 'With --stream cutover: ledger time after which blocks take over from record files',
    }),
    hashRule: choice({
      default: 'sixteen',
      of: ['sixteen', 'eight'],
      description: 'How the hash of a block is made: as today, or as networks did before version 0.74',
    }),
    stateProofs: flag({
      default: false,
      description: 'Leave some blocks to be proved by a later one that is signed',
    }),
    blockNodePorts: list<number>(
      {
        default: [40_840],
        flag: 'block-node-ports',
        description: 'Ports of 127.0.0.1 on which block nodes serve its blocks, where it writes blocks',
      },
      'list of ports',
      toPort,
    ),
    blockNodeFaults: list<BlockNodeFault>(
      {
        default: [],
        flag: 'block-node-faults',
        description:
          'What its first block node does wrong: stall, cut, die, lie, skip_block, skip_item or repeat at a block, such as `lie@20`, or large_block or large_message with the bytes, `large_block=200000000@20`',
      },
      'list such as stall@20,lie@30',
      toFault,
    ),
    keepBlocks: integer({
      default: 5_000,
      min: 10,
      max: 1_000_000_000,
      flag: 'keep-blocks',
      description: 'Newest blocks whose files stay on disk; older ones were imported long ago',
    }),
  },
} as const satisfies ConfigTree
