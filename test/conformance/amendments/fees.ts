import { type Amendment, resourceOf } from '#test/conformance/amendments/amendment.ts'

const olderFile = 'File 0.0.111 not found'

/** Recorded ledgers have no simple fees: what the older schedule says stays as it is. */
export const simpleFees: Amendment = {
  name: 'what gas costs is looked for in the simple fees first, file 0.0.113',
  version: '0.161',
  amend: (request) => {
    if (resourceOf(request) !== 'network/fees' || request.status !== 404) return request
    const text = JSON.stringify(request.body)
    return text.includes(olderFile)
      ? { ...request, body: JSON.parse(text.replace(olderFile, 'File 0.0.113 not found')) }
      : request
  },
}
