import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import protobuf from 'protobufjs'

/** Messages that readers and writers of the ledger's files start from; everything reachable from them is kept. */
const recordRoots = [
  'proto.RecordStreamFile',
  'proto.SignatureFile',
  'proto.SidecarFile',
  'proto.Transaction',
  'proto.SignedTransaction',
  'proto.TransactionBody',
  'proto.SchedulableTransactionBody',
  'proto.TransactionRecord',
  'proto.NodeAddressBook',
  'proto.CustomFeeLimit',
  'proto.Key',
  'proto.KeyList',
  'proto.FeeExemptKeyList',
  'proto.FileID',
  'proto.ExchangeRateSet',
  'proto.CurrentAndNextFeeSchedule',
  'proto.ThrottleDefinitions',
  'proto.ServicesConfigurationList',
  'proto.AllAccountBalances',
  'proto.TokenBalances',
]

/** The same for blocks and for what block nodes say. */
const blockRoots = [
  'com.hedera.hapi.block.stream.Block',
  'org.hiero.block.api.ServerStatusRequest',
  'org.hiero.block.api.ServerStatusResponse',
  'org.hiero.block.api.ServerStatusDetailResponse',
  'org.hiero.block.api.SubscribeStreamRequest',
  'org.hiero.block.api.SubscribeStreamResponse',
  'org.hiero.block.api.BlockRequest',
  'org.hiero.block.api.BlockResponse',
]

/** Definitions of ours, since the package has none of blocks. */
const ownFolder = join(import.meta.dirname, '../../schemas/protobuf')
const ownFiles = ['block-stream.proto', 'block-node.proto']

/** Imports files that the package does not contain. */
const incompleteFiles = new Set(['sdk_transaction_list.proto'])

/** Where the definitions come from: the package's name and version, for the head of generated files. */
export function definitionsSource(): string {
  const { name, version } = JSON.parse(readFileSync(packageFile(), 'utf8')) as { name: string; version: string }
  return `${name} ${version}`
}

function packageFile(): string {
  return createRequire(import.meta.url).resolve('@hiero-ledger/proto/package.json')
}

/**
 * Compiles the package's flattened sources in `src/proto`. Its `src/services` is a checkout of an old release with other
 * definitions under the same names, so no import is ever resolved outside of the flattened folder.
 */
export function compileDefinitions(): protobuf.Root {
  const folder = join(dirname(packageFile()), 'src', 'proto')
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) => {
    if (protobuf.common.get(target)) return target
    return join(ownFiles.includes(target) ? ownFolder : folder, target)
  }
  const files = readdirSync(folder).filter((file) => file.endsWith('.proto') && !incompleteFiles.has(file))
  root.loadSync([...files.sort(), ...ownFiles])
  root.resolveAll()
  return root
}

/** The roots, and every message and enum that can occur in one of them. */
function reachableTypes(root: protobuf.Root, roots: readonly string[]): Set<protobuf.Type | protobuf.Enum> {
  const found = new Set<protobuf.Type | protobuf.Enum>()
  const open: (protobuf.Type | protobuf.Enum)[] = roots.map((name) => root.lookupType(name))
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    if (!(next instanceof protobuf.Type)) continue
    for (const field of next.fieldsArray) if (field.resolvedType) open.push(field.resolvedType)
  }
  return found
}

type Json = { [key: string]: unknown }

/** What record files are made of, as protobufjs's JSON descriptor; field names in camel case, without comments and file options. */
export function buildDescriptor(root: protobuf.Root): Json {
  return { nested: pruneNamespace(root, reachableTypes(root, recordRoots)) }
}

/** The same of blocks, whole in itself. */
export function buildBlockDescriptor(root: protobuf.Root): Json {
  return { nested: pruneNamespace(root, reachableTypes(root, blockRoots)) }
}

function pruneNamespace(namespace: protobuf.NamespaceBase, kept: ReadonlySet<unknown>): Json {
  const nested: Json = {}
  for (const member of [...namespace.nestedArray].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const json = pruneMember(member, kept)
    if (json) nested[member.name] = json
  }
  return nested
}

function pruneMember(member: protobuf.ReflectionObject, kept: ReadonlySet<unknown>): Json | undefined {
  if (member instanceof protobuf.Enum) return kept.has(member) ? { values: member.values } : undefined
  if (!(member instanceof protobuf.Namespace) || member instanceof protobuf.Service) return undefined
  const nested = pruneNamespace(member, kept)
  const children = Object.keys(nested).length > 0 ? { nested } : undefined
  if (!(member instanceof protobuf.Type) || !kept.has(member)) return children
  const { oneofs, fields } = member.toJSON() as { oneofs?: Json; fields: Json }
  return { ...(oneofs && { oneofs }), fields: withoutNotes(fields), ...children }
}

/** Drops options that say nothing about the bytes. */
function withoutNotes(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { options, ...rest } = field as { options?: Json }
      const { deprecated: _deprecated, ...kept } = options ?? {}
      return [name, Object.keys(kept).length > 0 ? { ...rest, options: kept } : rest]
    }),
  )
}

/** One message per line, so that a new version of the definitions can be reviewed as a difference. */
export function printDescriptor(descriptor: Json): string {
  return `${printNested(descriptor['nested'] as Json, '{"nested":{', '}}', 0)}\n`
}

function printNested(nested: Json, head: string, tail: string, depth: number): string {
  const indent = ' '.repeat(depth + 1)
  const lines = Object.entries(nested).map(([name, value]) => {
    const member = value as Json
    const key = JSON.stringify(name)
    if (member['fields'] || member['values']) return `${indent}${key}:${JSON.stringify(member)}`
    return indent + printNested(member['nested'] as Json, `${key}:{"nested":{`, '}}', depth + 1)
  })
  return `${head}\n${lines.join(',\n')}\n${' '.repeat(depth)}${tail}`
}
