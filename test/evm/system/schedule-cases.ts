import type { AbiValue } from '#src/evm/abi/types.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import type { SystemCase } from '#test/evm/system/cases.ts'
import {
  artSchedule,
  blockSeconds,
  bob,
  newEntity,
  nobody,
  payment,
  runner,
  seenAs,
  treasury,
} from '#test/evm/system/world.ts'

const hss = 363n
const ok = 22n
const none = new Uint8Array(0)
const at = (id: bigint) => longZeroOf(id)
const soon = blockSeconds + 60n
const call = [soon, 2_000_000n, 0n, none] as const
const latest = blockSeconds + 5_356_800n

const called = (signature: string, args: readonly AbiValue[], returns: string, expected: readonly AbiValue[]) => ({
  ...{ to: hss, signature, args, returns, expected },
})
const made = (signature: string, args: readonly AbiValue[], code = ok) =>
  called(signature, args, '(int64,address)', [code, code === ok ? at(newEntity) : nobody])
const authorized = (schedule: bigint, code: bigint) =>
  called('authorizeSchedule(address)', [at(schedule)], '(int64)', [code])
const hasCapacity = (second: bigint, gas: bigint, expected: boolean) =>
  called('hasScheduleCapacity(uint256,uint256)', [second, gas], '(bool)', [expected])

/** Schedules that calls make, sign and delete. */
export const scheduleCases: readonly SystemCase[] = [
  {
    name: 'what NFTs a schedule is to make is told',
    steps: [
      called('getScheduledCreateNonFungibleTokenInfo(address)', [at(artSchedule)], '(int32,NftInfo)', [
        ok,
        [
          [
            [
              ...['Planned', 'PLN', at(treasury), 'plan', true, 10n, false],
              [1n, 2n, 4n, 8n, 16n, 32n, 64n].map((bit) => [
                bit,
                [false, nobody, bit === 1n ? new Uint8Array(32).fill(10) : none, none, nobody],
              ]),
              [1_900_000_000n, at(treasury), 8_000_000n],
            ],
            ...[0n, false, false, false, [], [], [], '0x01'],
          ],
          ...[0n, at(treasury), 0n, none, at(treasury)],
        ],
      ]),
    ],
  },
  {
    name: 'a call is scheduled that its contract pays for',
    steps: [
      made('scheduleCall(address,uint256,uint256,uint64,bytes)', [seenAs(runner), ...call]),
      // It signed what it made.
      authorized(newEntity, 205n),
      called('deleteSchedule(address)', [at(newEntity)], '(int64)', [202n]),
    ],
  },
  {
    name: 'a call is scheduled that somebody else pays for',
    steps: [
      made('scheduleCallWithPayer(address,address,uint256,uint256,uint64,bytes)', [
        seenAs(runner),
        seenAs(bob),
        ...call,
      ]),
      authorized(newEntity, 205n),
    ],
  },
  {
    name: 'a call that waits for its payer runs once he signed',
    steps: [
      made('executeCallOnPayerSignature(address,address,uint256,uint256,uint64,bytes)', [
        seenAs(runner),
        at(treasury),
        ...call,
      ]),
      authorized(newEntity, 205n),
    ],
  },
  {
    name: 'a call that the contract itself pays for runs at once where nothing is waited for',
    steps: [
      made('executeCallOnPayerSignature(address,address,uint256,uint256,uint64,bytes)', [
        seenAs(runner),
        seenAs(runner),
        ...call,
      ]),
      authorized(newEntity, 213n),
    ],
  },
  {
    name: 'a schedule has to expire within 62 days',
    steps: [
      made('scheduleCall(address,uint256,uint256,uint64,bytes)', [seenAs(runner), blockSeconds, 1n, 0n, none], 307n),
      made('scheduleCall(address,uint256,uint256,uint64,bytes)', [seenAs(runner), latest + 1n, 1n, 0n, none], 306n),
    ],
  },
  {
    name: 'a second has room for so much gas, of which a call takes its own',
    steps: [
      hasCapacity(soon, 15_000_000n, true),
      hasCapacity(soon, 15_000_001n, false),
      hasCapacity(latest, 1n, true),
      hasCapacity(latest + 1n, 1n, false),
      hasCapacity(blockSeconds, 1n, false),
      made('scheduleCall(address,uint256,uint256,uint64,bytes)', [seenAs(runner), ...call]),
      hasCapacity(soon, 13_000_000n, true),
      hasCapacity(soon, 13_000_001n, false),
    ],
  },
  {
    name: 'a schedule that was signed has no new signature, and one that was deleted is signed no more',
    steps: [
      authorized(payment, ok),
      authorized(payment, 205n),
      { ...called('deleteSchedule()', [], '(int64)', [ok]), to: payment },
      authorized(payment, 212n),
      called('deleteSchedule(address)', [at(payment)], '(int64)', [212n]),
    ],
  },
]
