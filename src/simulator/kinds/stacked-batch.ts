import { isToken } from '#src/simulator/evm/token.ts'
import { airdropOf, strangerTo, wealthy } from '#src/simulator/kinds/airdrop.ts'
import { batchOf, isOne, successfully } from '#src/simulator/kinds/batch.ts'
import { callOf, making } from '#src/simulator/kinds/contract.ts'
import { fileCreate } from '#src/simulator/kinds/file.ts'
import { mintOf } from '#src/simulator/kinds/nft.ts'
import { nodeCreate } from '#src/simulator/kinds/node.ts'
import { registeredNodeCreate } from '#src/simulator/kinds/registered-node.ts'
import { workingCall } from '#src/simulator/kinds/some-call.ts'
import { supplyChange, tokenCreate } from '#src/simulator/kinds/token.ts'
import { messageTo, topicCreate } from '#src/simulator/kinds/topic.ts'
import type { RunningKind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/**
 * A batch whose transactions change the same things one after the other: of what the first of them left, only their own
 * records tell. No mix has it unless it is asked for.
 */
export const stackedBatch: RunningKind = async (world) => {
  const payer = world.payer()
  const planned = await successfully(world, async () => world.prng.pick(stacks)(world))
  const batchKey = world.keyOf(payer)
  const inner = planned.map((submission) => ({ ...submission, header: { ...submission.header, batchKey } }))
  return inner.length > 1 ? batchOf(payer, inner) : undefined
}

const stacks: readonly ((world: World) => Submission[] | Promise<Submission[]>)[] = [
  messages,
  units,
  collections,
  airdrops,
  creations,
  calls,
]

function messages(world: World): Submission[] {
  const topic = world.some(world.state.topics)
  return topic ? [messageTo(world, topic), messageTo(world, topic), messageTo(world, topic)] : []
}

function units(world: World): Submission[] {
  const token = world.token(wealthy)
  if (!token) return []
  return [
    supplyChange(world, token, 'tokenMint', world.prng.between(1, 1_000)),
    supplyChange(world, token, 'tokenBurn', -world.prng.between(1, 100)),
    supplyChange(world, token, 'tokenMint', world.prng.between(1, 1_000)),
  ]
}

function collections(world: World): Submission[] {
  const token = world.token(({ nft, paused }) => nft && !paused)
  return token ? [mintOf(world, token), mintOf(world, token)] : []
}

function airdrops(world: World): Submission[] {
  const token = world.token(wealthy)
  if (!token) return []
  const stranger = strangerTo(world, token)
  return [airdropOf(world, token, stranger), airdropOf(world, token, stranger)]
}

function creations(world: World): Submission[] {
  const kinds = [tokenCreate, topicCreate, fileCreate, nodeCreate, registeredNodeCreate]
  return [...kinds, ...kinds].map((kind) => kind(world)).filter(isOne)
}

/** A contract is called twice, and between that another makes new ones. */
async function calls(world: World): Promise<Submission[]> {
  const contract = world.some(world.callable.filter(isToken))
  if (!contract) return []
  const callers = { may: (num: number) => world.spendable(num) > 0, somebody: world.payer() }
  const call = () => callOf(world, workingCall(world, contract, callers))
  // New contracts may push the called one out of the network's memory, so they come last.
  const [first, second] = [await call(), await call()]
  return [first, await making(world), second].filter((planned) => planned !== undefined)
}
