import { hexOf } from '#src/domain/bytes.ts'
import type { SimulatedCall } from '#src/evm/simulate.ts'

/** JSON text of simulated calls. Logs are numbered within their block. */
export function renderSimulated(calls: readonly SimulatedCall[]): string {
  let logIndex = 0
  const texts = calls.map((call) => {
    if (call.transactionIndex === 0) logIndex = 0
    const logs = call.logs.map((log) => renderLog(log, call, logIndex++))
    return (
      `{"gas_used":"0x${call.gasUsed.toString(16)}","logs":[${logs}],"return_data":"0x${hexOf(call.returned)}",` +
      `"status":"${call.isSuccess ? '0x1' : '0x0'}"}`
    )
  })
  return `{"result":[${texts}]}`
}

function renderLog(
  { address, topics, data }: SimulatedCall['logs'][number],
  { blockHash, blockNumber, transactionHash, transactionIndex }: SimulatedCall,
  logIndex: number,
): string {
  return (
    `{"address":"0x${hexOf(address)}","block_hash":"0x${blockHash}","block_number":${blockNumber},` +
    `"data":"0x${hexOf(data)}","log_index":${logIndex},"removed":false,` +
    `"topics":[${topics.map((topic) => `"0x${hexOf(topic)}"`)}],"transaction_hash":"0x${transactionHash}",` +
    `"transaction_index":${transactionIndex}}`
  )
}
