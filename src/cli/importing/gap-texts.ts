import { counted } from '#src/cli/counted.ts'
import type { BlockRef, Gap, SourceFiles } from '#src/importer/gaps/gap.ts'

/** Commands with the settings of this deployment. */
export interface RepairCommands {
  /** Brings what follows the log's end. */
  readonly run: string
  /** Writes a log generation within the dates that are set. */
  readonly republish: string
  /** The same from the log's own beginning, whatever start date is set. */
  readonly republishFromStart: string
  /** The same without any end date, which may have cut a block. */
  readonly republishWithoutEnd: string
}

/** What is missing, in a sentence, and below it the command that brings it. */
export function formatGap(gap: Gap, commands: RepairCommands): string {
  return `${sentenceOf(gap)}\n  repair: ${repairOf(gap, commands)}`
}

/** The same for programs, to be printed by `exactJson`. */
export function gapToJson(gap: Gap, commands: RepairCommands): object {
  return { ...gap, message: sentenceOf(gap), repair: repairOf(gap, commands) }
}

function sentenceOf(gap: Gap): string {
  switch (gap.kind) {
    case 'head':
      return `The source has ${filesText(gap.files)} before the log's first block, ${blockText(gap.before)}`
    case 'middle':
      return `Between ${blockText(gap.after)} and ${blockText(gap.before)} ${missingText(gap.blocks)}; ${sourceText(gap.files)}`
    case 'tail':
      return `The source has ${filesText(gap.files)} ${gap.after ? `behind the log's last block, ${blockText(gap.after)}` : 'and the log no block'}`
    case 'source':
      return `The source has ${filesText(gap.files)} behind the log's last block, ${blockText(gap.after)}, but none that continues it: ${gap.reason}`
    case 'transactions':
      return `${blockText(gap.block)} has ${gap.expected} transactions, but the log holds ${gap.found} of it; an end date may have left the others out`
    case 'decoding':
      return `${counted(gap.transactions, 'transaction')} of the log, the first at event ${gap.first}, ${gap.transactions === 1 ? 'was' : 'were'} written without all that this version understands of ${gap.transactions === 1 ? 'it' : 'them'}`
    case 'lost':
      return gap.reason
    case 'damage':
      return `The log cannot be read behind event ${gap.position}${gap.after ? `, after ${blockText(gap.after)}` : ''}: ${gap.reason}`
  }
}

function repairOf({ kind }: Gap, commands: RepairCommands): string {
  const { run, republish, republishFromStart, republishWithoutEnd } = commands
  switch (kind) {
    case 'tail':
      return run
    case 'source':
      return `bring the missing files, then ${run}`
    case 'head':
      return `${republish} --reason 'earlier history'`
    case 'middle':
      return `${republishFromStart} --reason 'missing blocks'`
    case 'transactions':
      return `${republishWithoutEnd} --reason 'missing transactions'`
    case 'decoding':
      return `${republishFromStart} --reason 'decoding fix'`
    case 'lost':
      return `${republishFromStart} --reason 'the log is lost'`
    case 'damage':
      return `${republishFromStart} --reason damage`
  }
}

function blockText({ number, name }: BlockRef): string {
  return `block ${number} (${name})`
}

function missingText(blocks: bigint): string {
  if (blocks === 0n) return 'the chain of hashes is broken'
  return blocks === 1n ? 'at least 1 block is missing' : `${blocks} blocks are missing`
}

function sourceText(files: SourceFiles | undefined): string {
  if (files === undefined) return 'name a source that has them with --source'
  if (files.count === 0) return 'this source has no files for them, name one that has with --source'
  return `the source has ${filesText(files)} there`
}

function filesText({ count, first, last }: SourceFiles): string {
  const names = count === 1 ? `${first}` : `${first} to ${last}`
  return count === 0 ? 'no file' : `${counted(count, 'file')} (${names})`
}
