import { parentPort } from 'node:worker_threads'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { mappingSlot } from '#src/simulator/evm/words.ts'
import { evmBench } from '#test/bench/evm-requests.ts'
import { openCallLedger, senderAddress } from '#test/evm/call-ledger.ts'

/** Serves a ledger with an ERC-20 contract and one that computes until it is terminated. */
const { holders, computing, tracedGas } = evmBench
const all = [senderAddress, ...holders]
const storage = Object.fromEntries(all.map((holder) => [`0x${mappingSlot(holder.slice(2), '00')}`, '0xf4240']))
const { ledger, hashes } = await openCallLedger(
  [{ code: codeOf('token').runtime.toString('hex'), storage }, computing],
  [{ contract: 1, gas: tracedGas, data: '0x' }],
)
const app = ledger.app({
  contractCalls: {
    ...defaultCallSettings,
    requestsPerSecond: 1_000_000,
    gasPerSecond: 1_000_000_000_000_000n,
    tracesPerSecond: 1_000,
  },
})
parentPort?.postMessage({ address: await app.listen({ port: 0, host: '127.0.0.1' }), hash: hashes[0] })
