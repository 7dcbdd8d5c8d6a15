import { describe, expect, it } from 'vitest'
import { unpackFees } from '#projections/custom-fees/packing.ts'
import { tokenCustomFees, topicCustomFees } from '#projections/custom-fees/projection.ts'
import type { CustomFee } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { recordOf } from '#test/support/events.ts'
import { foldedRows } from '#test/support/folded-rows.ts'
import type { Sketch } from '#test/support/whole-event.ts'

const token = 2_001n
const topic = 3_001n
const collector = { accountNum: 1_002n, alias: null }

async function feesOf(projection: AnyProjection, ...records: readonly LogRecord[]) {
  const { customFees, customFeeVersions } = await foldedRows(projection, records)
  const shown = ({ id, from, until, fees }: Record<string, unknown>) => ({ id, from, until, ...unpackFees(`${fees}`) })
  return { now: customFees!.map(shown), before: customFeeVersions!.map(shown) }
}

const created = (time: bigint, customFees: readonly Sketch<CustomFee>[]) =>
  transaction(time, 29, token, { tokenCreation: { customFees } })

describe('custom fees of tokens', () => {
  it('begin with the creation, where 0.0.0 is the token itself', async () => {
    const own = { tokenNum: 0n }
    const { now } = await feesOf(
      tokenCustomFees,
      created(10n, [
        { fixedFee: { amount: 5n, denominatingTokenId: own }, feeCollectorAccountId: collector },
        { fixedFee: { amount: 2n ** 62n } },
        {
          fractionalFee: {
            fractionalAmount: { numerator: 1n, denominator: 9n },
            minimumAmount: 3n,
            netOfTransfers: true,
          },
          allCollectorsAreExempt: true,
        },
        { royaltyFee: { exchangeValueFraction: { numerator: 1n, denominator: 20n }, fallbackFee: { amount: 7n } } },
        {},
      ]),
    )
    const nobody = { collectorAccountId: null, allCollectorsAreExempt: false }
    expect(now).toEqual([
      {
        id: token,
        from: 10n,
        until: null,
        fixedFees: [
          { amount: 5n, denominatingTokenId: token, collectorAccountId: 1_002n, allCollectorsAreExempt: false },
          { amount: 2n ** 62n, denominatingTokenId: null, ...nobody },
        ],
        fractionalFees: [
          {
            numerator: 1n,
            denominator: 9n,
            minimumAmount: 3n,
            maximumAmount: null,
            netOfTransfers: true,
            collectorAccountId: null,
            allCollectorsAreExempt: true,
          },
        ],
        royaltyFees: [
          { numerator: 1n, denominator: 20n, fallbackFee: { amount: 7n, denominatingTokenId: null }, ...nobody },
        ],
      },
    ])
  })

  it('are replaced as a whole by an update of the schedule, also by none, and not by one that failed', async () => {
    const updated = (time: bigint, fees: readonly Sketch<CustomFee>[], facts = {}) =>
      transaction(time, 45, token, { tokenFeeScheduleUpdate: { customFees: fees }, ...facts })
    const { now, before } = await feesOf(
      tokenCustomFees,
      created(10n, [{ fixedFee: { amount: 5n } }]),
      updated(20n, [{ fixedFee: { amount: 6n } }], { successful: false }),
      updated(30n, []),
    )
    expect(now).toEqual([{ id: token, from: 30n, until: null, fixedFees: [], fractionalFees: [], royaltyFees: [] }])
    expect(before).toMatchObject([{ from: 10n, until: 30n, fixedFees: [{ amount: 5n }] }])
  })
})

it('custom fees of topics are changed by updates that name some, and by no other', async () => {
  const fee = (amount: bigint) => ({ fixedFee: { amount }, feeCollectorAccountId: collector })
  const { now, before } = await feesOf(
    topicCustomFees,
    transaction(10n, 24, topic, { consensusCreateTopic: { customFees: [fee(5n)] } }),
    transaction(20n, 25, topic, { consensusUpdateTopic: { customFees: null } }),
    transaction(30n, 25, topic, { consensusUpdateTopic: { customFees: { fees: [fee(6n)] } } }),
  )
  expect(before).toMatchObject([{ from: 10n, until: 30n, fixedFees: [{ amount: 5n, collectorAccountId: 1_002n }] }])
  expect(now).toMatchObject([{ id: topic, from: 30n, until: null, fixedFees: [{ amount: 6n }] }])
})

it('a statement takes the place of what was known, and may say when it ends', async () => {
  const stated = (asOf: bigint, validTo: bigint | null, amount: bigint) =>
    recordOf('CustomFeesSnapshotted', {
      entityId: token,
      asOf,
      validTo,
      fixedFees: [{ amount, denominatingTokenId: null, collectorAccountId: null, allCollectorsAreExempt: true }],
    })
  const { now, before } = await feesOf(tokenCustomFees, stated(10n, 15n, 1n), stated(20n, 30n, 2n))
  expect(before).toMatchObject([{ from: 10n, until: 15n, fixedFees: [{ amount: 1n, allCollectorsAreExempt: true }] }])
  expect(now).toMatchObject([{ from: 20n, until: 30n, fixedFees: [{ amount: 2n }] }])
})
