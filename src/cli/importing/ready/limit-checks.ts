import { totalmem } from 'node:os'
import { type Check, fails, ok } from '#src/cli/importing/ready/check.ts'
import type { ReadyContext } from '#src/cli/importing/ready/ready-context.ts'

const mebibyte = 1024 * 1024
/** What nodes of the versions that change over take and send at once: a single item may be as large. */
const itemBytesMax = 131_072_000
/** Such an item and the block around it. Nothing bounds a block, so more is not known to be needed. */
const blockMiBNeeded = 128
/** That a process works within beside the block that it takes. */
const processMiB = 512

/** Whether what is as large as the network may send it is taken. */
export function checkLimits(context: Pick<ReadyContext, 'config' | 'found'>, memoryBytes = memoryOfProcess()): Check[] {
  const { messageMaxMiB, blockMaxMiB, from } = context.config.blocks
  const messages = from === 'bucket' ? [] : [checkMessages(context)]
  return [...messages, checkBlocks(blockMaxMiB), checkMemory(messageMaxMiB + blockMaxMiB, memoryBytes)]
}

/** A block with a larger item is not lost: it is refused by its name, and waits for the setting, or comes from a bucket where there is one. */
function checkMessages({ config, found }: Pick<ReadyContext, 'config' | 'found'>): Check {
  const name = 'message limit'
  const { messageMaxMiB, from } = config.blocks
  const neededMiB = Math.ceil(itemBytesMax / mebibyte)
  const value = `${messageMaxMiB} MiB; networks send items of up to ${neededMiB}`
  if (messageMaxMiB >= neededMiB) return ok(name, value)
  if (from === 'auto' && found.bucketReads)
    return ok(name, `${value}, and a block with a larger one comes from the bucket`)
  return fails(
    name,
    `${value}, and a block with a larger one is not taken`,
    `raise it with --block-message-mib-max ${neededMiB}`,
  )
}

function checkBlocks(blockMaxMiB: number): Check {
  const name = 'block limit'
  const value = `${blockMaxMiB} MiB; a block with the largest item has up to ${blockMiBNeeded}`
  return blockMaxMiB >= blockMiBNeeded
    ? ok(name, value)
    : fails(name, value, `raise it with --block-mib-max ${blockMiBNeeded}`)
}

/** While a message is taken apart, it and the block up to it are there at once. */
function checkMemory(largestMiB: number, memoryBytes: number): Check {
  const haveMiB = Math.floor(memoryBytes / mebibyte)
  const neededMiB = processMiB + largestMiB
  const value = `${haveMiB} MiB for this process; ${neededMiB} with the largest block that is taken`
  if (haveMiB >= neededMiB) return ok('memory', value)
  return fails('memory', value, 'give the process more, or lower --block-mib-max as far as the network allows')
}

/** Of the machine, or of the container where that has less. */
function memoryOfProcess(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
