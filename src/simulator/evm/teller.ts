import type { AskedCall, ServiceAnswer } from '#src/simulator/evm/asked-call.ts'
import type { Party } from '#src/simulator/evm/frame.ts'
import { transferLog } from '#src/simulator/evm/token.ts'
import { addressWord, encoded, longZero, word } from '#src/simulator/evm/words.ts'
import { responseCodes } from '#src/simulator/response-codes.ts'
import type { Submission } from '#src/simulator/submission.ts'

const needs = { move: 40_000, pay: 40_000, payNew: 720_000 }
const serviceGas = 14_000

/** What a teller moves for the caller, and the transaction that the network makes of it. */
export interface Moving {
  readonly caller: Party
  readonly teller: Party
  readonly from: Party
  readonly to: Party
  readonly amount: number
  readonly child: Submission
}

/** `move(address,address,address,int64,uint256)` of units of a token; refused after the deadline, when they are moved. */
export function moveToken(token: number, moving: Moving, deadline: number): AskedCall {
  const words = [addressWord(longZero(token)), ...wordsOf(moving)]
  return calling(moving, encoded('move(address,address,address,int64,uint256)', ...words, word(deadline)), token)
}

/** `moveAllowed(address,address,address,uint256)`: of what the owner of the tokens allowed the teller. */
export function moveAllowed(token: number, moving: Moving): AskedCall {
  const words = [addressWord(longZero(token)), ...wordsOf(moving)]
  return calling(moving, encoded('moveAllowed(address,address,address,uint256)', ...words), token)
}

/** `payAllowed(address,address,int64)`: the same with hbar. */
export function payAllowed(moving: Moving): AskedCall {
  return calling(moving, encoded('payAllowed(address,address,int64)', ...wordsOf(moving)), undefined)
}

/** `pay(address)`: the hbar of the caller go on to whom the address belongs, which may be nobody yet. */
export function pay(
  caller: Party,
  recipient: Party,
  to: Party,
  value: number,
  newAccount?: AskedCall['newAccount'],
): AskedCall {
  const input = encoded('pay(address)', addressWord(to.address))
  const asked = { caller, recipient, input, value }
  return newAccount ? { ...asked, needs: needs.payNew, newAccount } : { ...asked, needs: needs.pay }
}

function wordsOf({ from, to, amount }: Moving): [Buffer, Buffer, Buffer] {
  return [addressWord(from.address), addressWord(to.address), word(amount)]
}

/** A call of the network's own contract; what that cannot do, the teller refuses with its code. */
function calling(moving: Moving, input: Uint8Array, token: number | undefined): AskedCall {
  const { caller, teller: recipient, from, to, amount, child } = moving
  const isLogged = token !== undefined && !child.result
  const answer: ServiceAnswer = {
    output: word(responseCodes[child.result ?? 'SUCCESS']),
    gas: serviceGas,
    child,
    logs: isLogged
      ? [transferLog({ num: token, address: longZero(token), contract: true }, from.address, to.address, amount)]
      : [],
  }
  return { caller, recipient, input, needs: needs.move, services: [answer] }
}
