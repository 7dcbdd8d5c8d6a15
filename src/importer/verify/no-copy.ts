import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'
import { nodeList } from '#src/importer/verify/node-list.ts'

const steps: Partial<Record<ErrorCode, string>> = {
  file_missing: 'Bring the file, or wait until it is uploaded',
  file_name_invalid:
    'The name gives the consensus time of the first transaction; rename or remove the file in each folder',
  sidecar_mismatch: 'Repair one of them, or import without sidecars',
}
const defaultStep = 'Repair or replace the file in one of these folders'
const goOn = 'an import that still runs goes on by itself, else start it again'

/** Nobody's copy of this file can be used. `bad` is not empty, and every entry names its node. */
export function noCopyError(bad: readonly LedgerError[], file: string): LedgerError {
  // A copy that is there and wrong says more than one that is not there.
  const first = (bad.find(({ code }) => code !== 'file_missing') ?? bad[0]) as LedgerError
  const copies = bad.map(({ code, message }) => ({ code, message }))
  const step = `${steps[first.code] ?? defaultStep}; ${goOn}`
  const message = `${file}: ${whichText(bad, first)} ${reasonText(first, file)}. ${step}`
  return new LedgerError(first.code, message, { file, ...first.details, copies }, first)
}

function whichText(bad: readonly LedgerError[], first: LedgerError): string {
  const node = `node ${first.details.node}`
  if (bad.length === 1) return `the only signed copy, of ${node}, cannot be used:`
  return `none of the copies of ${nodeList(bad.map(({ details }) => details.node as bigint))} can be used; ${node}:`
}

/** Without the advice for a single copy; where another file is at fault, such as a sidecar, its name. */
function reasonText({ code, message, details }: LedgerError, file: string): string {
  if (typeof details.reason !== 'string') return message
  const name = details.file === file ? '' : `${details.file}: `
  return code === 'file_missing' ? `${name}it is not in the folder` : `${name}${details.reason}`
}
