import { LedgerError } from '#src/domain/errors.ts'

const defaultStep = 'Take the copy of another node; if every copy is like this, the publisher has to correct it'

/** A stream file that does not have the form of its format. Names the file, the reason and the next step. */
export function malformed(name: string, reason: string, cause?: unknown): LedgerError {
  return new LedgerError('file_malformed', `${name}: ${reason}. ${defaultStep}`, { file: name, reason }, cause)
}

/** The same for a signature file. */
export function malformedSignature(name: string, reason: string, cause?: unknown): LedgerError {
  const step =
    'The signatures of the other nodes are used; if theirs do not suffice, wait for this node to repair its copy'
  return new LedgerError('signature_malformed', `${name}: ${reason}. ${step}`, { file: name, reason }, cause)
}

/** A name that is none of a stream file, or does not fit what is in the file. */
export function invalidName(name: string, reason: string, node?: bigint): LedgerError {
  const form = '2022-07-13T08_46_08.041986003Z.rcd.gz'
  const at = node === undefined ? '' : ` of node ${node}`
  return new LedgerError(
    'file_name_invalid',
    `${name}${at}: ${reason}. Names look like ${form} and give the consensus time of the first transaction; rename or remove the file`,
    { file: name, reason, ...(node === undefined ? {} : { node }) },
  )
}
