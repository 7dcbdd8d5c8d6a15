import type { AskedCall } from '#src/simulator/evm/asked-call.ts'
import { type ContractCode, codeOf } from '#src/simulator/evm/code.ts'
import type { Party } from '#src/simulator/evm/frame.ts'
import { opening } from '#src/simulator/evm/market.ts'
import { founding } from '#src/simulator/evm/token.ts'
import type { World } from '#src/simulator/world.ts'

const gasPerByte = 200

/** What the creation of a contract says; tokens and markets begin with some supply, a token's is the owner's. */
export function creationOf(world: World, code: ContractCode, owner: Party): Pick<AskedCall, 'input' | 'needs'> {
  const supply = world.prng.between(1, 1_000) * 1_000_000
  switch (code) {
    case 'token':
      return founding(owner.address, supply)
    case 'market':
      return opening(supply)
    default: {
      const { initcode, runtime } = codeOf(code)
      return { input: initcode, needs: 3_000 + runtime.length * gasPerByte }
    }
  }
}
