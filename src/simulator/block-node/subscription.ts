import { once } from 'node:events'
import type { ServerWritableStream } from '@grpc/grpc-js'
import { rest } from '#src/ports/clock.ts'
import { type Step, stepsOf } from '#src/simulator/block-node/block-steps.ts'
import type { BlockStore } from '#src/simulator/block-node/block-store.ts'
import type { BlockFaults } from '#src/simulator/block-node/faults.ts'
import type { SubscribeRequest } from '#src/simulator/block-node/requests.ts'
import { codeResponse, subscribeCodes } from '#src/simulator/block-node/responses.ts'

export type BlockCall = ServerWritableStream<Buffer, Buffer>

export interface SubscriptionOptions {
  readonly store: BlockStore
  readonly faults: BlockFaults
  readonly setBytesMax: number
  /** Resets the connection that the call came by. */
  readonly reset: () => void
  /** Called when a message was handed to the connection. */
  readonly onMessage: () => void
  readonly signal: AbortSignal
}

/** Sends blocks as they come until the asked end is reached, the caller is gone or a fault ends it. */
export async function runSubscription(
  call: BlockCall,
  request: SubscribeRequest,
  options: SubscriptionOptions,
): Promise<void> {
  const refusal = refusalOf(request, options.store)
  if (refusal !== undefined) return finish(call, codeResponse(refusal), options)
  for (let number = request.start; request.end === undefined || number <= request.end; number++) {
    const block = await blockOf(number, options)
    if (block === undefined) return
    const { faults, setBytesMax } = options
    for (const step of stepsOf({ number, block, fault: faults.of(number), setBytesMax })) {
      if (!(await take(step, call, options))) return
    }
  }
  await finish(call, codeResponse(subscribeCodes.success), options)
}

function refusalOf({ start, end }: SubscribeRequest, store: BlockStore): number | undefined {
  const range = store.range()
  if (end !== undefined && end < start) return subscribeCodes.invalidEnd
  if (start < (range?.first ?? 0n)) return subscribeCodes.notAvailable
  // The next one may be waited for, a later one not.
  return start > (range ? range.last + 1n : 0n) ? subscribeCodes.invalidStart : undefined
}

async function blockOf(number: bigint, { store, signal }: SubscriptionOptions): Promise<Uint8Array | undefined> {
  while (!signal.aborted) {
    const block = store.read(number)
    if (block) return block
    await store.changed(signal)
  }
  return undefined
}

/** Does one step; false when the call ended with it. */
async function take(step: Step, call: BlockCall, options: SubscriptionOptions): Promise<boolean> {
  const { faults, signal } = options
  if (signal.aborted) return false
  switch (step.kind) {
    case 'send':
      await write(call, step.message, options)
      return true
    case 'wait':
      await rest(step.milliseconds, signal)
      return true
    case 'finish':
      await finish(call, step.message, options)
      return false
    case 'fail':
      call.emit('error', { code: step.code, details: step.text })
      return false
    case 'cut':
      options.reset()
      return false
    case 'die':
      faults.dead = true
      return false
    case 'stall':
      if (!signal.aborted) await once(signal, 'abort')
      return false
  }
}

/** Resolves when the message is on its way: who does not read stalls the stream, and nothing is piled up for him. */
function write(call: BlockCall, message: Buffer, { signal, onMessage }: SubscriptionOptions): Promise<void> {
  return new Promise((resolve) => {
    // The library does not call back where the caller is gone.
    const done = () => {
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    call.write(message, () => {
      if (!signal.aborted) onMessage()
      done()
    })
  })
}

async function finish(call: BlockCall, message: Buffer, options: SubscriptionOptions): Promise<void> {
  await write(call, message, options)
  call.end()
}
