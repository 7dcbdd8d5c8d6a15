import { invalidParameters } from '#queries/common/errors.ts'
import { lastValue, type Parameter, Refusal } from '#queries/common/parameters.ts'
import { choiceParameterOfB } from '#queries/common/parameters-of-b.ts'
import { lastWindow } from '#queries/common/range.ts'
import { defineRoute } from '#queries/common/route.ts'
import { feeUsage } from '#queries/network-files/fee-usage.ts'
import { lookForFile } from '#queries/network-files/find-file.ts'
import { simpleFeesFile } from '#queries/network-files/gas-schedule.ts'
import { findKnown } from '#queries/network-files/known-entities.ts'
import { estimateReads, type NetworkFilesContext } from '#queries/network-files/reads.ts'
import { estimateObject } from '#queries/network-files/render.ts'
import { transactionPayload } from '#queries/network-files/submitted-transaction.ts'
import { type Functionality, functionalities } from '#src/domain/functionalities.ts'
import { defaultSimpleFees } from '#src/domain/network-files/default-simple-fees.ts'
import { estimateFees } from '#src/domain/network-files/fee-estimate.ts'
import { highVolumeMultiplier, plainMultiplier } from '#src/domain/network-files/high-volume.ts'
import { readSimpleFees, type SimpleFees } from '#src/domain/network-files/simple-fees.ts'

const throttleMax = 10_000

const throttleParameter: Parameter<number> = {
  name: 'high_volume_throttle',
  description: 'Share of the capacity for high volume that is in use, in hundredths of a percent.',
  schema: { type: 'integer', minimum: 0, maximum: throttleMax, default: 0 },
  operators: [],
  repeatable: false,
  parse: (text) => {
    if (!/^[+-]?\d{1,10}$/.test(text)) return undefined
    const used = Number(text)
    if (used > 2_147_483_647 || used < -2_147_483_648) return undefined
    if (used < 0) return new Refusal('highVolumeThrottle must be greater than or equal to 0')
    return used > throttleMax ? new Refusal(`highVolumeThrottle must be less than or equal to ${throttleMax}`) : used
  },
}

const parameters = {
  mode: choiceParameterOfB(
    'mode',
    ['INTRINSIC', 'STATE'],
    'Estimate by the transaction alone, or by the state of the ledger as well.',
    'INTRINSIC',
  ),
  high_volume_throttle: throttleParameter,
}

export const feeEstimateRoute = defineRoute({
  method: 'POST',
  path: '/network/fees',
  summary: 'Estimate what a transaction costs',
  tag: 'network',
  dialect: 'B',
  parameters,
  payload: transactionPayload,
  maxAge: 60,
  body: estimateObject.schema,
  reads: estimateReads,
  answer: async ({ filters, payload }, context) => {
    const withState = lastValue(filters.mode) === 'STATE'
    const usage = feeUsage(payload, withState ? await findKnown(payload.body, context) : undefined)
    if (usage === undefined) throw unknownType()
    const fees = await findSimpleFees(context)
    const isHighVolume = withState && payload.body.highVolume && highVolumeKinds.has(usage.functionality)
    const multiplier = isHighVolume
      ? highVolumeMultiplier(
          fees.services.get(usage.functionality)?.highVolume,
          lastValue(filters.high_volume_throttle) ?? 0,
        )
      : plainMultiplier
    const { signatures, bytes } = payload
    const estimate = estimateFees({ ...usage, fees, signatures, bytes, multiplier })
    if (estimate === undefined) throw unknownType()
    return { body: estimateObject.render({ ...estimate, multiplier }) }
  },
})

const unknownType = () => invalidParameters(['Unknown transaction type'])

async function findSimpleFees(context: NetworkFilesContext): Promise<SimpleFees> {
  const file = await lookForFile(simpleFeesFile, lastWindow([]), context)
  return file === undefined ? defaultSimpleFees : readSimpleFees(file.contents)
}

/** What may be had at a price that rises with the volume, HIP-1313; on anything else the flag is ignored. */
const highVolumeNames: readonly Functionality[] = [
  'CryptoCreate',
  'ConsensusCreateTopic',
  'ScheduleCreate',
  'CryptoApproveAllowance',
  'FileCreate',
  'FileAppend',
  'ContractCreate',
  'HookStore',
  'TokenAssociateToAccount',
  'TokenAirdrop',
  'TokenClaimAirdrop',
  'TokenMint',
  'TokenCreate',
]
const highVolumeKinds: ReadonlySet<number> = new Set(highVolumeNames.map((name) => functionalities[name]))
