import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'

export type StreamFileKind = 'record' | 'signature' | 'sidecar'

export interface StreamFileName {
  /** The whole name. */
  readonly name: string
  readonly kind: StreamFileKind
  /** Consensus time (ns) of the first item. */
  readonly instant: LedgerTime
  /** Of a sidecar: 1 to 99. */
  readonly sidecarId: number | undefined
  readonly compressed: boolean
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)_(\d\d)_(\d\d)(?:\.(\d{0,9}))?Z(?:_(\d\d))?\.(rcd|rcd_sig)(\.gz)?$/

/** Parses the name of a record, signature or sidecar file; undefined when it is none. */
export function parseStreamFileName(name: string): StreamFileName | undefined {
  const match = pattern.exec(name)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', sidecar, extension, gzip] = match
  const instant = instantOf([year, month, day, hour, minute, second].map(Number), fraction)
  if (instant === undefined) return undefined
  const sidecarId = sidecar === undefined ? undefined : Number(sidecar)
  if (sidecarId === 0 || (sidecarId !== undefined && extension !== 'rcd')) return undefined
  const kind = sidecarId !== undefined ? 'sidecar' : extension === 'rcd' ? 'record' : 'signature'
  return { name, kind, instant, sidecarId, compressed: gzip !== undefined }
}

function instantOf(parts: number[], fraction: string): LedgerTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(milliseconds)
  const same =
    year >= 1000 &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  if (!same) return undefined
  return (BigInt(milliseconds / 1000) * nanosPerSecond + BigInt(fraction.padEnd(9, '0'))) as LedgerTime
}

/**
 * The string to list after: it sorts behind every file of this instant and before every later one, whatever the
 * extension.
 */
export function listAfterMarker(name: string): string {
  const dot = name.indexOf('.', Math.max(0, name.indexOf('Z')))
  const stem = dot < 0 ? name : name.slice(0, dot)
  return `${stem}_`
}

/** The marker for a start date: files strictly after it. The time is in nanoseconds. */
export function markerAt(time: bigint): string {
  return `${instantText(time)}_`
}

/** `2022-07-13T08_46_08.041986003Z`: the text of an instant (ns since the epoch) with nine fraction digits. */
export function instantText(time: bigint): string {
  const seconds = new Date(Number(time / nanosPerSecond) * 1000).toISOString().slice(0, 19).replaceAll(':', '_')
  return `${seconds}.${(time % nanosPerSecond).toString().padStart(9, '0')}Z`
}

/** The same as the network wrote it in the names of its files at first: as many groups of three digits as the fraction needs. */
export function shortInstantText(time: bigint): string {
  return instantText(time).replace(/\.?(?:000){1,3}Z$/, 'Z')
}

/** The data file that a signature file is about. */
export function dataFileName(signatureName: string, signatureVersion: number): string {
  const compressed = signatureName.endsWith('.gz')
  const plain = compressed ? signatureName.slice(0, -3) : signatureName
  const name = plain.endsWith('_sig') ? plain.slice(0, -4) : plain
  return compressed || signatureVersion === 6 ? `${name}.gz` : name
}

/** The sidecar with this id (1 to 99) of a record file. */
export function sidecarFileName(recordFileName: string, id: number): string {
  const stem = listAfterMarker(recordFileName)
  return `${stem}${String(id).padStart(2, '0')}.rcd.gz`
}
