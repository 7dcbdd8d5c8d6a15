import { codeOf } from '#src/simulator/evm/code.ts'
import type { Frame, Party } from '#src/simulator/evm/frame.ts'
import { marketInitcode, opening } from '#src/simulator/evm/market.ts'
import { founding, type TokenContract, tokenInitcode } from '#src/simulator/evm/token.ts'
import type { ContractCreation } from '#src/simulator/kinds/new-contract.ts'
import type { World } from '#src/simulator/world.ts'

/** Gas for each byte of code that stays. */
const gasPerByte = 200

/** A creation from outside; tokens and markets begin with some supply, a token's is the creator's. */
export function creationFrame(world: World, creation: ContractCreation, caller: Party, value: number): Frame {
  const { contract } = creation
  const frame = { operation: 'create' as const, caller, value, creation }
  const supply = world.prng.between(1, 1_000) * 1_000_000
  switch (contract.code) {
    case 'token': {
      const input = tokenInitcode(caller.address, supply)
      return { ...frame, input, ...founding(contract as TokenContract, caller, supply) }
    }
    case 'market':
      return { ...frame, input: marketInitcode(supply), ...opening(world, creation, supply) }
    case 'factory':
    case 'teller': {
      const { initcode, runtime } = codeOf(contract.code)
      const recipient = { num: contract.num, address: contract.evmAddress, contract: true }
      const cost = 1_000 + runtime.length * gasPerByte
      return { ...frame, input: initcode, recipient, cost, end: { output: runtime } }
    }
  }
}
