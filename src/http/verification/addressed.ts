import type { ContractReference } from '#commands/verification/contract-codes.ts'
import { parseEvmAddress } from '#src/domain/verification/checksum-address.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import { chainName } from '#src/http/verification/settings.ts'

/** Entity ids are taken as well, in the form of the network. */
const entityForm = /^\d{1,10}\.\d{1,10}\.\d{1,19}$/
const toldMax = 200

export function readAddress(text: string): ContractReference {
  const digits = parseEvmAddress(text)
  if (digits !== undefined) return { kind: 'address', digits }
  if (entityForm.test(text)) return { kind: 'entity', id: text }
  throw new VerificationProblem('invalid_address', `Invalid address: ${text.slice(0, toldMax)}`)
}

/** Throws unless contracts of the chain can be verified here: its network is the one that is followed. */
export function assertChain(chain: string, followed: string): void {
  if (chain === followed) return
  const shown = chain.slice(0, toldMax)
  if (chainName(chain) === undefined)
    throw new VerificationProblem('chain_not_supported', `Chain ${shown} not supported for verification!`)
  const message = `Chain ${shown} is not followed here; this service follows chain ${followed}`
  throw new VerificationProblem('chain_not_followed', message)
}
