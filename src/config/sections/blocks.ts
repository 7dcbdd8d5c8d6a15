import {
  type ConfigTree,
  choice,
  flag,
  integer,
  list,
  optionalText,
  optionalVersion,
  version,
} from '#src/config/keys.ts'
import { type UnprovedPart, unprovedParts } from '#src/importer/block/unproved.ts'

/** A block node as an operator names it. */
export interface NamedBlockNode {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Where it answers what it has; undefined: at the same port. */
  readonly statusPort: number | undefined
  /** 0 is best. */
  readonly priority: number
}

const blockNodePort = 40_840
const portMax = 65_535
const priorityMax = 1_000

/** `host`, `host:port`, or with more to say `grpcs://host:port?priority=1&status-port=40841`. */
function toBlockNode(input: unknown): NamedBlockNode | undefined {
  if (typeof input !== 'string') return undefined
  const url = URL.parse(/^grpcs?:\/\//.test(input) ? input : `grpc://${input}`)
  if (url === null || url.hostname === '' || url.username !== '' || !['', '/'].includes(url.pathname)) return undefined
  const known = ['priority', 'status-port']
  if (url.hash !== '' || [...url.searchParams.keys()].some((name) => !known.includes(name))) return undefined
  const port = url.port === '' ? blockNodePort : Number(url.port)
  const statusPort = numberIn(url.searchParams.get('status-port'), portMax)
  const priority = numberIn(url.searchParams.get('priority'), priorityMax)
  if (port === 0 || statusPort === null || priority === null) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { host, port, tls: url.protocol === 'grpcs:', statusPort, priority: priority ?? 0 }
}

/** As it may be given. */
export function blockNodeText({ host, port, tls, statusPort, priority }: NamedBlockNode): string {
  const more = new URLSearchParams()
  if (priority !== 0) more.set('priority', String(priority))
  if (statusPort !== undefined) more.set('status-port', String(statusPort))
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return tls || more.size > 0 ? `grpc${tls ? 's' : ''}://${at}${more.size > 0 ? `?${more}` : ''}` : at
}

/** undefined: not given; null: none. */
function numberIn(text: string | null, max: number): number | null | undefined {
  if (text === null) return undefined
  return /^\d{1,5}$/.test(text) && Number(text) <= max ? Number(text) : null
}

/** Blocks, the newer form of a network's output: where they come from, what proves them, and when record files give way to them. */
export const blockSettings = {
  blocks: {
    from: choice({
      default: 'auto',
      of: ['auto', 'nodes', 'bucket'],
      description: 'Where blocks come from: block nodes, a bucket, or nodes first and after failures the other one',
    }),
    nodes: list<NamedBlockNode>(
      {
        default: [],
        flag: 'block-nodes',
        description:
          'Block nodes: `host`, `host:port` (40840 unless given), or `grpcs://host:port?priority=1&status-port=40841`; TLS with grpcs, 0 is the best priority',
      },
      'list of host:port or grpc(s)://host:port?priority=<0-1000>&status-port=<port>',
      toBlockNode,
    ),
    discover: flag({
      default: true,
      flag: 'block-node-discovery',
      description: 'Follow the block nodes that the ledger itself has registered, too',
    }),
    location: optionalText(
      {
        flag: 'block-source',
        description:
          'Where block files are: a folder shaped like a bucket, or s3://<bucket>. Unless given: the bucket of a public network, the simulated network, or nothing',
      },
      'a folder, s3://<bucket>, or nothing',
    ),
    folder: optionalText({
      flag: 'block-folder',
      description: 'Folder there that holds `block/`. Unless given: the newest run of the network',
    }),
    ledgerPublication: optionalText({
      flag: 'ledger-publication',
      description:
        'File with the serialized ledger id publication, which says whose signature proves blocks. Unless given: `ledger-publication.bin` in the source folder, what the log holds, or block 0',
    }),
    acceptUnproved: list<UnprovedPart>(
      {
        default: [],
        flag: 'accept-unproved',
        description:
          'What of blocks to publish though no signature covers it: amendments of wrapped record files, the genesis state beside them, redactions. Sources have to be believed for it',
      },
      `list of ${unprovedParts.join(', ')}`,
      (input) => unprovedParts.find((part) => part === input),
    ),
    rootCertificates: optionalText({
      description: 'File with certificates (PEM) that block nodes are checked with instead of those of the system',
    }),
    messageMaxMiB: integer({
      default: 36,
      min: 4,
      max: 512,
      unit: 'MiB',
      flag: 'block-message-mib-max',
      description:
        'Largest message of a block node, packed or unpacked; networks send up to 125 MiB, when an item is so large',
    }),
    blockMaxMiB: integer({
      default: 128,
      min: 16,
      max: 1_024,
      unit: 'MiB',
      flag: 'block-mib-max',
      description: 'Largest block, unpacked; what is larger is refused before it is unpacked',
    }),
    statusTimeoutMs: integer({
      default: 400,
      min: 50,
      max: 60_000,
      unit: 'ms',
      description: 'Longest wait for what a block node says to have',
    }),
    blockTimeoutMs: integer({
      default: 30_000,
      min: 1_000,
      max: 600_000,
      unit: 'ms',
      description: 'Longest wait for a block, its making included',
    }),
    connectTimeoutMs: integer({
      default: 5_000,
      min: 100,
      max: 60_000,
      unit: 'ms',
      description: 'Longest wait for a connection to a block node',
    }),
    failuresMax: integer({
      default: 3,
      min: 1,
      max: 100,
      description: 'Failures in a row after which a block node is set aside, or the other kind of source tried',
    }),
    readmitMs: integer({
      default: 60_000,
      min: 100,
      max: 3_600_000,
      unit: 'ms',
      description: 'How long a block node that was set aside, or a kind of source that failed, is left alone',
    }),
    aheadMax: integer({
      default: 16,
      min: 1,
      max: 256,
      description: 'Blocks of a bucket that are asked for at a time',
    }),
  },

  cutover: {
    thresholdMs: integer({
      default: 16_000,
      min: 8_000,
      max: 3_600_000,
      unit: 'ms',
      description: 'How long nothing new may come before the other stream is tried; 2.5 times that before the version',
    }),
    hapiVersion: version({
      default: { major: 0, minor: 79, patch: 0 },
      description: "Version of the ledger's API from which on blocks are expected",
    }),
    wrappedFrom: optionalVersion({
      description:
        "Version of the ledger's API from which on record files are read as blocks wrap them, ahead of the cutover. Unless given: never",
    }),
  },
} as const satisfies ConfigTree
