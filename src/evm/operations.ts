import { EVMError } from '@ethereumjs/evm'
import { KECCAK256_NULL } from '@ethereumjs/util'
import { addressOfWord, type HexAddress, isSystemAccount, lastCodelessAccount, numberOf } from '#src/evm/addresses.ts'
import { haltOf } from '#src/evm/halts.ts'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'

type OpcodeMap = LedgerEvm['_opcodeMap']
export type Operation = OpcodeMap[number]
export type RunState = Parameters<Operation['opHandler']>[0]
type Common = Parameters<Operation['opHandler']>[1]

const op = {
  balance: 0x31,
  codeSize: 0x3b,
  codeCopy: 0x3c,
  codeHash: 0x3f,
  blockHash: 0x40,
  gasLimit: 0x45,
  selfBalance: 0x47,
  gas: 0x5a,
  destruct: 0xff,
} as const
/** Whatever runs another frame, by its code. */
export const framingNames: ReadonlyMap<number, string> = new Map([
  [0xf0, 'CREATE'],
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xf5, 'CREATE2'],
  [0xfa, 'STATICCALL'],
])
const calls: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
const callWithValue = 0xf1
const coldAccess = 2_600n
const maxBlockNumber = 2n ** 64n
/** Blocks whose hashes are seen, beside the present one. */
const blockHashWindow = 256n

/** The EVM that an operation runs in: tables of operations are those of many. */
function evmOf({ interpreter }: RunState): LedgerEvm {
  return interpreter._evm as LedgerEvm
}

/** What the network does otherwise than the library, put around the operations concerned. */
export function withLedgerRules(operations: OpcodeMap): OpcodeMap {
  const own = [...operations]
  const change = (code: number, make: (known: Operation) => Partial<Operation>): void => {
    const known = own[code]
    if (known?.opHandler !== undefined) own[code] = { ...known, ...make(known) }
  }
  for (const code of [op.balance, op.codeSize, op.codeCopy, op.codeHash])
    change(code, (known) => lookingAt(code, known))
  change(op.blockHash, () => ({ opHandler: pushBlockHash }))
  change(op.selfBalance, (known) => ({
    opHandler: (state, common) => {
      const evm = evmOf(state)
      evm.seesGas = true
      evm.world.assertKnown('balance', state.env.address.toString())
      return known.opHandler(state, common)
    },
  }))
  for (const code of [op.gasLimit, op.gas]) change(code, seeingGas)
  change(op.destruct, (known) => selfDestruct(known))
  for (const code of framingNames.keys()) change(code, (known) => ({ opHandler: framingWith(code, known) }))
  return own
}

function seeingGas(known: Operation): Partial<Operation> {
  return {
    opHandler: (state, common) => {
      evmOf(state).seesGas = true
      return known.opHandler(state, common)
    },
  }
}

/** Operations that look at an address: accounts of the system are as good as not there, and always cold. */
function lookingAt(code: number, known: Operation): Partial<Operation> {
  return {
    gasHandler: async (state: RunState, gas: bigint, common: Common) => {
      const address = addressOfWord(state.stack.peek()[0]!)
      if (!isHidden(code, address)) return known.gasHandler(state, gas, common)
      return coldAccess + (await copyGas(code, known, state, common))
    },
    opHandler: async (state: RunState, common: Common) => {
      const address = addressOfWord(state.stack.peek()[0]!)
      if (isHidden(code, address)) return pushNothing(code, known, state, common)
      const evm = evmOf(state)
      if (evm.rules.needsAddresses && !(await evm.world.exists(address))) throw haltOf('INVALID_SOLIDITY_ADDRESS')
      if (code === op.balance) {
        // The sender has less the more gas it pays for.
        evm.seesGas = true
        state.stack.pop()
        return state.stack.push(await evm.world.shownBalance(address))
      }
      await known.opHandler(state, common)
      // An account without code has the hash of none, however little else it has.
      if (code === op.codeHash && state.stack.peek()[0] === 0n && (await evm.world.exists(address))) {
        state.stack.pop()
        state.stack.push(BigInt(`0x${Buffer.from(KECCAK256_NULL).toString('hex')}`))
      }
    },
  }
}

function isHidden(code: number, address: HexAddress): boolean {
  if (code === op.balance) return isSystemAccount(address)
  const number = numberOf(address)
  return number !== undefined && number <= lastCodelessAccount
}

/** Of a copy, what words and memory cost: the library tells it of an address that is warm. */
async function copyGas(code: number, known: Operation, state: RunState, common: Common): Promise<bigint> {
  if (code !== op.codeCopy) return 0n
  const bytes = state.env.address.bytes
  const [, ...rest] = state.stack.peek(4)
  const top = state.stack.pop()
  state.stack.push(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
  const gas = await known.gasHandler(state, 0n, common)
  state.stack.pop()
  state.stack.push(top)
  return rest.length === 3 ? gas - warmAccess : gas
}

const warmAccess = 100n

async function pushNothing(code: number, known: Operation, state: RunState, common: Common): Promise<void> {
  state.stack.pop()
  if (code !== op.codeCopy) return state.stack.push(0n)
  // Nothing is there to copy, wherever it would be: the address of nobody has no code.
  state.stack.push(nobody)
  await known.opHandler(state, common)
}

const nobody = 0n

async function pushBlockHash(state: RunState): Promise<void> {
  const evm = evmOf(state)
  const number = state.stack.pop()
  const current = evm.blockNumber
  const asked = current > 0n && number <= current && number + blockHashWindow >= current && number < maxBlockNumber
  const hash = asked ? await evm.world.state.blockHash(number) : undefined
  state.stack.push(hash === undefined ? 0n : BigInt(`0x${Buffer.from(hash).toString('hex')}`))
}

function selfDestruct(known: Operation): Partial<Operation> {
  const assertBeneficiary = async (state: RunState): Promise<void> => {
    const evm = evmOf(state)
    if (state.interpreter.isStatic()) throw new EVMError(EVMError.errorMessages.STATIC_STATE_CHANGE)
    const beneficiary = addressOfWord(state.stack.peek()[0]!)
    if (beneficiary === state.env.address.toString()) throw haltOf('OBTAINER_SAME_CONTRACT_ID')
    const entity = isSystemAccount(beneficiary) ? undefined : await evm.world.entityAt(beneficiary)
    const isAccount = entity?.kind === 'account' || entity?.kind === 'contract'
    if (!isAccount && !(await evm.wasCreated(beneficiary))) throw haltOf('INVALID_SOLIDITY_ADDRESS')
    await evm.assertMayDestruct(state.env.address.toString())
  }
  return {
    gasHandler: async (state: RunState, gas: bigint, common: Common) => {
      await assertBeneficiary(state)
      return known.gasHandler(state, gas, common)
    },
  }
}

/** A frame that called another one ends with it where that one's end is everybody's. */
function framingWith(code: number, known: Operation): Operation['opHandler'] {
  return async (state: RunState, common: Common) => {
    const evm = evmOf(state)
    evm.seesGas = true
    if (evm.rules.needsAddresses && calls.has(code)) {
      const [, word, value] = state.stack.peek(3)
      await assertTarget(addressOfWord(word!), code === callWithValue && value! > 0n, evm)
    }
    await known.opHandler(state, common)
    if (evm.endOfAll !== undefined) throw evm.endOfAll
  }
}

/** Earlier versions end a frame that calls an address where nothing is, unless hbar makes an account there. */
async function assertTarget(target: HexAddress, sendsValue: boolean, evm: LedgerEvm): Promise<void> {
  if (isSystemAccount(target) || (await evm.world.exists(target))) return
  const isCreated = sendsValue && evm.rules.createsLazily && numberOf(target) === undefined
  if (!isCreated) throw haltOf('INVALID_SOLIDITY_ADDRESS')
}
