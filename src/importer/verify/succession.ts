import { LedgerError } from '#src/domain/errors.ts'
import { instantText, parseStreamFileName, type StreamFileName } from '#src/importer/record/file-name.ts'
import { zeroHash } from '#src/importer/record/hash.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'
import type { VerifiedFile } from '#src/importer/verify/verify-file.ts'

/** What the next file has to follow. */
export interface Predecessor {
  /** Chain hash that it has to name; undefined or zeros: any. */
  readonly chainHash: Buffer | undefined
  /** Its number and time have to be greater than this block's; undefined before the first one. */
  readonly lastBlock: LastBlock | undefined
}

/** The file that comes next: it continues the chain, and neither its number nor its time go back. Else `chain_broken`. */
export function chooseSuccessor(files: readonly VerifiedFile[], before: Predecessor): VerifiedFile | LedgerError {
  const [first] = files
  if (!first) throw new Error('a verification without error has a file')
  const next = files.find((one) => brokenBy(one, before) === undefined)
  return next ?? chainBroken(first, brokenBy(first, before) as Broken)
}

interface Broken {
  readonly reason: string
  readonly step: string
}

function brokenBy({ file }: VerifiedFile, { chainHash, lastBlock }: Predecessor): Broken | undefined {
  if (chainHash !== undefined && !chainHash.equals(zeroHash) && !file.previousHash.equals(chainHash)) {
    const reason = `it continues the hash ${file.previousHash.toString('hex')}, but the last block has ${chainHash.toString('hex')}`
    const step =
      `A file is missing before it or it belongs to another network; bring the missing files, or leave them out for good` +
      ` with --start-date ${dateBefore(file.name)}`
    return { reason, step }
  }
  if (lastBlock === undefined) return undefined
  const step = `It repeats or precedes what ${lastBlock.name} holds; remove it, or check that the source is of this network`
  const { number, numberProvisional, time } = lastBlock
  // A number that was only counted says nothing; the first one that a file carries may correct it downwards.
  if (file.blockNumber !== undefined && !numberProvisional && file.blockNumber <= number) {
    return { reason: `its number ${file.blockNumber} is not after ${number} of the last block`, step }
  }
  if (file.consensusStart > time) return undefined
  return { reason: `it begins at ${file.consensusStart} ns, not after the end of the last block, ${time} ns`, step }
}

/** The latest start date that still takes this file: files count when they are later. */
function dateBefore(name: string): string {
  const { instant } = parseStreamFileName(name) as StreamFileName
  return instantText(instant - 1n).replaceAll('_', ':')
}

function chainBroken({ file, sourceNodeId }: VerifiedFile, { reason, step }: Broken): LedgerError {
  const { name } = file
  return new LedgerError('chain_broken', `${name} of node ${sourceNodeId}: ${reason}. ${step}`, {
    file: name,
    node: sourceNodeId,
    reason,
  })
}
