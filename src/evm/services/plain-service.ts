import type { EVMResult, Message } from '@ethereumjs/evm'
import { hexOf } from '#src/domain/bytes.ts'
import { halted } from '#src/evm/frame-results.ts'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'
import { type Service, selectorBytes } from '#src/evm/services/service.ts'

interface PlainFunction {
  /** As Solidity writes it. */
  readonly named: string
  readonly returns: string
  readonly run: (message: Message, evm: LedgerEvm) => Promise<EVMResult>
}

/** A service that leaves no trace of a child: what it does not know ends the frame, and whoever calls it does not matter. */
export function plainService(name: string, functions: ReadonlyMap<string, PlainFunction>): Service {
  return {
    name,
    functions: [...functions].map(([selector, known]) => ({ ...known, selector, access: 'view' })),
    run: async (message, evm) => {
      if (message.value > 0n && !message.delegatecall) return halted(message, 'INVALID_CONTRACT_ID')
      if (message.data.length < selectorBytes) return halted(message, 'INVALID_OPERATION')
      const known = functions.get(hexOf(message.data, 0, selectorBytes))
      return known === undefined ? halted(message, 'INVALID_OPERATION') : known.run(message, evm)
    },
  }
}
