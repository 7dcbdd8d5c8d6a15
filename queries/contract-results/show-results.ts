import { ethereumKind } from '#projections/contract-results/render.ts'
import { contractResultsSchema, type EthereumRow } from '#projections/contract-results/schema.ts'
import { findResultBlocks } from '#queries/contract-results/find-blocks.ts'
import type { ListedResult } from '#queries/contract-results/find-results.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { renderResult, renderShortResult } from '#queries/contract-results/render-result.ts'
import { findFileContents } from '#queries/contracts/file-contents.ts'
import { findAddresses } from '#queries/contracts/find-contract.ts'
import { findCallGasPrices } from '#queries/network-files/gas-schedule.ts'

export const ethereumFields = Object.keys(contractResultsSchema.collections.ethereum.fields) as (keyof EthereumRow)[]

/** Texts of the members of results in the list of one contract. */
export async function showShortResults(rows: readonly ListedResult[], context: ResultContext): Promise<string[]> {
  const addresses = await addressesOf(rows, context)
  return rows.map((row) => renderShortResult(row, addresses.get(row.contract) ?? null))
}

/** Texts of the members of results everywhere else. */
export async function showResults(
  rows: readonly ListedResult[],
  { hbar, isDetail = false }: { readonly hbar: boolean; readonly isDetail?: boolean },
  context: ResultContext,
): Promise<string[]> {
  const [addresses, ethereum, blocks, gasPrices] = await Promise.all([
    addressesOf(rows, context),
    hbar && !isDetail ? undefined : findEthereum(rows, context),
    findResultBlocks(
      rows.map(({ time }) => time),
      context,
    ),
    findCallGasPrices(
      rows.filter((row) => row.ethereum === ethereumKind.none).map(({ time }) => time),
      context,
    ),
  ])
  const fileData = isDetail
    ? await Promise.all(rows.map((row, index) => fileDataOf(row, ethereum?.[index], context)))
    : []
  return rows.map((row, index) =>
    renderResult(row, {
      address: addresses.get(row.contract) ?? null,
      ethereum: ethereum?.[index],
      block: blocks.get(row.time),
      fileData: fileData[index],
      isDetail,
      hbar,
      chainId: context.settings.chainId,
      gasPrice: gasPrices.get(row.time) ?? null,
    }),
  )
}

function addressesOf(rows: readonly ListedResult[], context: ResultContext): Promise<Map<bigint, string>> {
  return findAddresses(
    context.rows.entities,
    rows.map(({ contract }) => contract),
  )
}

async function findEthereum(
  rows: readonly ListedResult[],
  context: ResultContext,
): Promise<(EthereumRow | undefined)[]> {
  if (rows.every(({ ethereum }) => ethereum === ethereumKind.none)) return []
  const keys = rows.map(({ time }) => [time] as const)
  return context.rows['contract-results'].get('ethereum', keys, ethereumFields)
}

/**
 * Long call data is in a file; undefined where it is with the transaction, or the file is not known. Of a file that was stated
 * only later the contents are what was stated.
 */
export async function fileDataOf(
  { time, parameters }: Pick<ListedResult, 'time' | 'parameters'>,
  ethereum: EthereumRow | undefined,
  { rows, checkpoint }: ResultContext,
): Promise<string | undefined> {
  if (!ethereum || ethereum.callDataId === null || ethereum.callData?.length || parameters.length > 0) return undefined
  const file = ethereum.callDataId
  const contents =
    (await findFileContents(rows.contracts.at(time), file)) ??
    (await findFileContents(rows.contracts.at(checkpoint.time), file))
  return contents && digitsIn(contents)
}

const hexText = /^(?:0x)?((?:[0-9a-f]{2})*)$/i

/** A file holds hex text; the bytes of one that does not are shown as they are. */
export function digitsIn(contents: Buffer): string {
  return hexText.exec(contents.toString('latin1'))?.[1]?.toLowerCase() ?? contents.toString('hex')
}
