import { type Frame, type Party, partyOf, tokenService } from '#src/simulator/evm/frame.ts'
import { transferLog } from '#src/simulator/evm/token.ts'
import { addressWord, encoded, keccakOfKnown, longZero, word } from '#src/simulator/evm/words.ts'
import { responseCodes } from '#src/simulator/response-codes.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const movedTopic = keccakOfKnown(Buffer.from('Moved(address,address,uint256)'))
const costs = { move: 6_500, pay: 36_500, service: 14_000 }
const cryptoTransfer =
  'cryptoTransfer(((address,int64,bool)[]),(address,(address,int64,bool)[],(address,address,int64,bool)[])[])'

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
export function moveToken(world: World, token: number, moving: Moving, deadline: number): Frame {
  const words = [addressWord(longZero(token)), ...wordsOf(moving)]
  const input = encoded('move(address,address,address,int64,uint256)', ...words, word(deadline))
  const service = encoded('transferToken(address,address,address,int64)', ...words)
  const frame = calling(moving, input, service, token)
  const isLate = world.now.seconds > deadline && 'output' in frame.end
  return isLate ? { ...frame, end: { revert: encoded('TooLate(uint256)', word(deadline)) } } : frame
}

/** `moveAllowed(address,address,address,uint256)`: of what the owner of the tokens allowed the teller. */
export function moveAllowed(token: number, moving: Moving): Frame {
  const words = [addressWord(longZero(token)), ...wordsOf(moving)]
  const input = encoded('moveAllowed(address,address,address,uint256)', ...words)
  return calling(moving, input, encoded('transferFrom(address,address,address,uint256)', ...words), token)
}

/** `payAllowed(address,address,int64)`: the same with hbar. */
export function payAllowed(moving: Moving): Frame {
  const [from, to, amount] = wordsOf(moving)
  const [yes, no] = [word(1), word(0)]
  // One list of two amounts, and no list of tokens; numbers are offsets in bytes and lengths.
  const list = [word(32), word(2), from, word(-moving.amount), yes, to, amount, no]
  const service = encoded(cryptoTransfer, word(64), word(64 + list.length * 32), ...list, word(0))
  return calling(moving, encoded('payAllowed(address,address,int64)', from, to, amount), service, undefined)
}

/** `pay(address)`: the hbar of the caller go on to whom the address belongs, which may be nobody yet. */
export function pay(world: World, caller: Party, teller: Party, receiver: number, value: number): Frame {
  const to = partyOf(world, receiver)
  const end = { output: Buffer.alloc(0) }
  const inner: Frame = { operation: 'call', caller: teller, recipient: to, input: Buffer.alloc(0), value, cost: 0, end }
  const input = encoded('pay(address)', addressWord(to.address))
  return {
    operation: 'call',
    caller,
    recipient: teller,
    input,
    value,
    cost: costs.pay,
    end,
    frames: [inner],
    logs: [moved({ teller, from: caller, to, amount: value })],
  }
}

function wordsOf({ from, to, amount }: Moving): [Buffer, Buffer, Buffer] {
  return [addressWord(from.address), addressWord(to.address), word(amount)]
}

/** A call of the network's own contract; what that cannot do, the teller refuses with its code. */
function calling(moving: Moving, input: Uint8Array, serviceInput: Uint8Array, token: number | undefined): Frame {
  const { caller, teller, from, to, amount, child } = moving
  const code = responseCodes[child.result ?? 'SUCCESS']
  const log =
    token && transferLog({ num: token, address: longZero(token), contract: true }, from.address, to.address, amount)
  const service: Frame = {
    operation: 'call',
    caller: teller,
    recipient: tokenService,
    input: serviceInput,
    cost: costs.service,
    end: { output: word(code) },
    logs: log && !child.result ? [log] : [],
    child,
  }
  const done = child.result === undefined
  return {
    operation: 'call',
    caller,
    recipient: teller,
    input,
    cost: costs.move,
    end: done ? { output: Buffer.alloc(0) } : { revert: encoded('Refused(int64)', word(code)) },
    frames: [service],
    logs: done ? [moved(moving)] : [],
  }
}

function moved({ teller, from, to, amount }: Pick<Moving, 'teller' | 'from' | 'to' | 'amount'>) {
  const topics = [movedTopic, addressWord(from.address), addressWord(to.address)]
  return { contract: teller.num, topics, data: word(amount) }
}
