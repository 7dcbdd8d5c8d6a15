import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { mappingSlot } from '#src/simulator/evm/words.ts'
import { evmBench } from '#test/bench/evm-requests.ts'
import { openCallLedger, senderAddress } from '#test/evm/call-ledger.ts'

/** Serves a ledger with an ERC-20 contract, a token with as many holders, and a contract that computes, until it is terminated. */
const { holders, computing, token, tracedGas } = evmBench
const treasury = 1_002
const each = 250
const accounts = [treasury, ...holders.map(Number)].map((id) => ({ id, type: 'ACCOUNT' as const, balance: '0' }))
const coin = { id: token, type: 'FUNGIBLE_COMMON', name: 'Coin', symbol: 'CN', decimals: 2, treasury } as const
const all = [senderAddress, ...holders]
const storage = Object.fromEntries(all.map((holder) => [`0x${mappingSlot(holder.slice(2), '00')}`, '0xf4240']))
const { ledger, hashes } = await openCallLedger(
  [{ code: codeOf('token').runtime.toString('hex'), storage }, computing],
  [{ contract: 1, gas: tracedGas, data: '0x' }],
  {
    accounts,
    tokens: [{ ...coin, totalSupply: each * holders.length }],
    relations: accounts.map(({ id }) => ({ account: id, token, balance: id === treasury ? 0 : each })),
  },
)
const app = ledger.app({
  contractCalls: {
    ...defaultCallSettings,
    requestsPerSecond: 1_000_000,
    gasPerSecond: 1_000_000_000_000_000n,
    tracesPerSecond: 1_000,
  },
})
process.send?.({ address: await app.listen({ port: 0, host: '127.0.0.1' }), hash: hashes[0] })
