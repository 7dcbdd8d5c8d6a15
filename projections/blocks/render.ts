import type { BlockRecorded } from '#schemas/events/types.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** Fields of the event that the rows show or are found by. */
export const blockFields = [
  'number',
  'name',
  'hash',
  'previousHash',
  'consensusStart',
  'consensusEnd',
  'count',
  'size',
  'gasUsed',
  'logsBloom',
  'hapiVersionMajor',
  'hapiVersionMinor',
  'hapiVersionPatch',
] as const satisfies readonly (keyof BlockRecorded)[]

/** JSON text of the API's block object on both sides of its number. */
export function renderBlock(block: Pick<BlockRecorded, (typeof blockFields)[number]>): { head: string; tail: string } {
  const { hapiVersionMajor: major, hapiVersionMinor: minor, hapiVersionPatch: patch, gasUsed, logsBloom, size } = block
  const hapiVersion = major === null || minor === null || patch === null ? 'null' : `"${major}.${minor}.${patch}"`
  const head =
    `{"count":${block.count},"gas_used":${gasUsed === null || gasUsed === -1n ? 'null' : gasUsed},"hapi_version":${hapiVersion},` +
    `"hash":"0x${block.hash.toString('hex')}","logs_bloom":${logsBloom === null ? 'null' : `"${renderBloom(logsBloom)}"`},` +
    `"name":${JSON.stringify(block.name)},"number":`
  const tail =
    `,"previous_hash":"0x${block.previousHash.toString('hex')}","size":${size === null ? 'null' : size},` +
    `"timestamp":{"from":"${formatLedgerTime(block.consensusStart)}","to":"${formatLedgerTime(block.consensusEnd)}"}}`
  return { head, tail }
}

const bloomDigits = 512

/** Left padded to 256 bytes; a block without logs has an empty bloom. */
function renderBloom(bloom: Buffer): string {
  return bloom.length === 0 ? '0x' : `0x${bloom.toString('hex').padStart(bloomDigits, '0')}`
}
