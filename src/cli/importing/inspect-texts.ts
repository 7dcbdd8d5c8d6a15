import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { ProofFacts } from '#src/importer/inspect/block-proofs.ts'
import type { BlockFacts } from '#src/importer/inspect/inspect-block.ts'
import type { Inspection } from '#src/importer/inspect/inspect-file.ts'
import type { RecordFacts } from '#src/importer/inspect/inspect-record-file.ts'
import type { SidecarFacts } from '#src/importer/inspect/inspect-sidecar-file.ts'
import type { SignatureFacts } from '#src/importer/inspect/inspect-signature-file.ts'
import type { Counts } from '#src/importer/inspect/transaction-counts.ts'
import type { Verdict } from '#src/importer/inspect/verdict.ts'
import { nodeList } from '#src/importer/verify/node-list.ts'
import { formatCount } from '#src/runtime/watch/status.ts'

/** A line: what it is, and what it says. */
type Line = readonly [name: string, text: string]

/** What a file is, for people. */
export function formatInspection(inspection: Inspection): string {
  const lines = linesOf(inspection)
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n')
}

function linesOf(inspection: Inspection): Line[] {
  if (inspection.kind === 'block') return [['kind', 'block'], ...blockLines(inspection)]
  if (inspection.kind === 'signature') return [['kind', 'signature file'], ...signatureLines(inspection)]
  if (inspection.kind === 'sidecar') return [['kind', 'sidecar file'], ...sidecarLines(inspection)]
  return [
    ['kind', 'record file'],
    ...recordLines(inspection),
    ...inspection.signatures.flatMap((one) => under('signature beside it', signatureLines(one))),
  ]
}

function blockLines(block: BlockFacts): Line[] {
  const { number, hapiVersion, softwareVersion, hashes, hashRule, rounds, recordFile, withoutResult } = block
  return [
    ['name', block.name],
    ['number', number.toString()],
    ['version', `HAPI ${hapiVersion}, software ${softwareVersion}`],
    ['time', timeText(block.time)],
    ['hash, sixteen leaves', hashes.sixteen + (hashRule === 'sixteen' ? '  fits the proof' : '')],
    ['hash, eight leaves', hashes.eight + (hashRule === 'eight' ? '  fits the proof' : '')],
    ['previous hash', block.previousHash],
    ...(rounds ? [['rounds', `${rounds[0]} to ${rounds[1]}`] as const] : []),
    sizeLine(block),
    ['items', countsText(block.items)],
    ...periodLine(block),
    ['transactions', `${formatCount(block.count)}${block.count === 0 ? '' : `: ${countsText(block.transactions)}`}`],
    ...(withoutResult > 0
      ? [['without a result', `${formatCount(withoutResult)}, of nodes to each other`] as const]
      : []),
    ...block.proofs.flatMap(proofLines),
    ...(recordFile
      ? under('record file', [...recordLines(recordFile), ['amendments', String(recordFile.amendments)]])
      : []),
  ]
}

const proofNames = {
  signature: 'signature of the network',
  state: 'state proof',
  'record-file': 'record file',
} as const

function proofLines({ kind, form, generation, ledger, signatures, ...verdict }: ProofFacts): Line[] {
  const by =
    ledger === null ? '' : `, by the ledger ${ledger.id} (as ${ledger.saidBy === 'given' ? 'given' : 'it says itself'})`
  const how = form === null || kind === 'record-file' ? '' : ` (${form}, release ${generation} of the library)`
  return [['proof', `${proofNames[kind]}${how}: ${verdictText(verdict)}${by}`], ...signatureVerdicts(signatures)]
}

function signatureVerdicts(signatures: ProofFacts['signatures']): Line[] {
  const ids = signatures.map(({ nodeId }) => nodeId)
  if (ids.length === 0) return []
  if (signatures.every(({ verdict }) => verdict === 'unchecked')) return [['  signatures', `of ${nodeList(ids)}`]]
  return signatures.map(({ nodeId, ...one }): Line => [`  node ${nodeId}`, verdictText(one)])
}

function recordLines(file: RecordFacts): Line[] {
  const { blockNumber, hapiVersion, metadataHash, sidecars } = file
  return [
    ['name', file.name],
    ['number', blockNumber?.toString() ?? 'not in files of this version'],
    ['version', `${file.version}${hapiVersion === null ? '' : `, HAPI ${hapiVersion}`}`],
    ['hash', file.hash],
    ['previous hash', file.previousHash],
    ['file hash', file.fileHash],
    ...(metadataHash === null ? [] : [['metadata hash', metadataHash] as const]),
    ['running hash', verdictText(file.runningHash)],
    sizeLine(file),
    ...periodLine(file),
    ['transactions', `${formatCount(file.count)}${file.count === 0 ? '' : `: ${countsText(file.transactions)}`}`],
    ...sidecars.map(({ id, types, hash }): Line => [`sidecar ${id}`, `types ${types.join(', ')}, ${hash}`]),
  ]
}

function signatureLines(file: SignatureFacts): Line[] {
  const { metadataHash, signedBy } = file
  return [
    ['name', file.name],
    ['version', String(file.version)],
    ['file hash', file.fileHash],
    ...(metadataHash === null ? [] : [['metadata hash', metadataHash] as const]),
    [
      'signature',
      `${file.signatureBytes} bytes: ${verdictText(file.signature)}${signedBy === null ? '' : `, by node ${signedBy}`}`,
    ],
    ['data file', `${file.dataFile}: ${verdictText(file.data)}`],
  ]
}

function sidecarLines(file: SidecarFacts): Line[] {
  return [
    ['name', file.name],
    ['number', file.id?.toString() ?? '-'],
    ['hash', file.hash],
    sizeLine(file),
    ...periodLine(file),
    ['records', countsText(file.records)],
  ]
}

function under(name: string, lines: readonly Line[]): Line[] {
  return [[name, ''], ...lines.map(([part, text]): Line => [`  ${part}`, text])]
}

const verdictWords = { holds: 'holds', fails: 'does not hold', unchecked: 'not checked' } as const

function verdictText({ verdict, reason }: Verdict): string {
  return reason === null ? verdictWords[verdict] : `${verdictWords[verdict]}: ${reason}`
}

function countsText(counts: Counts): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${formatCount(count)}`)
  return parts.length === 0 ? 'none' : parts.join(', ')
}

function sizeLine({ size, sizeUnpacked }: { readonly size: number; readonly sizeUnpacked: number }): Line {
  return ['size', `${formatCount(size)} bytes, ${formatCount(sizeUnpacked)} unpacked`]
}

interface Period {
  readonly consensusStart: bigint | null
  readonly consensusEnd: bigint | null
}

function periodLine({ consensusStart, consensusEnd }: Period): Line[] {
  if (consensusStart === null || consensusEnd === null) return []
  return [['consensus', `${timeText(consensusStart)} to ${timeText(consensusEnd)}`]]
}

/** `1753303062.076472454 (2025-07-23T20:37:42Z)` */
function timeText(time: bigint): string {
  const date = new Date(Number(time / 1_000_000n))
  const readable = Number.isNaN(date.getTime()) ? '' : ` (${date.toISOString().slice(0, 19)}Z)`
  return `${formatLedgerTime(time)}${readable}`
}
