import { type Functionality, functionalities } from '#src/domain/functionalities.ts'
import { encode } from '#src/simulator/codec.ts'

/** A ThrottleDefinitions: all transactions share one bucket, what makes something new has a smaller one as well. */
export function throttleDefinitions(): Uint8Array {
  const creations: readonly Functionality[] = ['CryptoCreate', 'TokenCreate', 'ContractCreate', 'ConsensusCreateTopic']
  return encode('proto.ThrottleDefinitions', {
    throttleBuckets: [
      bucket('Throughput', 10_500, Object.keys(functionalities) as Functionality[]),
      bucket('Creation', 100, creations),
    ],
  })
}

function bucket(name: string, perSecond: number, kinds: readonly Functionality[]) {
  const operations = kinds.map((kind) => functionalities[kind])
  return { name, burstPeriodMs: 1_000, throttleGroups: [{ operations, milliOpsPerSec: perSecond * 1_000 }] }
}
