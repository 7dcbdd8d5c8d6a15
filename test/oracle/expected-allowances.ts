import type { LedgerView } from '#src/simulator/ledger-view.ts'
import { exact, timeOf } from '#test/oracle/expected-account.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

/** What is left of allowances, by owner, in ascending order of spender and token; those of hbar have no token. */
export function expectedAllowances(view: LedgerView): Map<number, Json[]> {
  const rows = [...view.rows('allowances')].filter(([, { left }]) => left > 0n)
  const shown = rows.map(([key, { granted, left, createdAt }]) => {
    const [owner = 0, spender = 0, token = 0] = key.split('/').map(Number)
    return {
      place: [owner, spender, token],
      allowance: {
        amount: exact(left),
        amount_granted: exact(granted),
        owner: `0.0.${owner}`,
        spender: `0.0.${spender}`,
        timestamp: { from: timeOf(createdAt ?? 0n), to: null },
        ...(token > 0 && { token_id: `0.0.${token}` }),
      },
    }
  })
  return grouped(shown.sort(byPlace).map(({ place, allowance }) => [place[0] ?? 0, allowance]))
}

export interface ExpectedAirdrops {
  readonly bySender: Map<number, Json[]>
  readonly byReceiver: Map<number, Json[]>
}

/** The airdrops that wait, in ascending order of the account on the other side, token and serial number. */
export function expectedAirdrops(view: LedgerView): ExpectedAirdrops {
  const rows = [...view.rows('airdrops')].filter(([, { pending }]) => pending)
  const shown = rows.map(([key, { amount, since }]) => {
    const [sender = 0, receiver = 0, token = 0, serial = 0] = key.split('/').map(Number)
    const airdrop = {
      amount: amount === null ? null : exact(amount),
      receiver_id: `0.0.${receiver}`,
      sender_id: `0.0.${sender}`,
      serial_number: serial === 0 ? null : serial,
      timestamp: { from: timeOf(since), to: null },
      token_id: `0.0.${token}`,
    }
    return { sender, receiver, rest: [token, serial], airdrop }
  })
  const outstanding = shown.map(({ receiver, rest, ...each }) => ({ ...each, place: [receiver, ...rest] }))
  const pending = shown.map(({ sender, rest, ...each }) => ({ ...each, place: [sender, ...rest] }))
  return {
    bySender: grouped(outstanding.sort(byPlace).map(({ sender, airdrop }) => [sender, airdrop])),
    byReceiver: grouped(pending.sort(byPlace).map(({ receiver, airdrop }) => [receiver, airdrop])),
  }
}

function byPlace(a: { readonly place: readonly number[] }, b: { readonly place: readonly number[] }): number {
  const column = a.place.findIndex((value, index) => value !== b.place[index])
  return (a.place[column] ?? 0) - (b.place[column] ?? 0)
}

function grouped(entries: readonly (readonly [number, Json])[]): Map<number, Json[]> {
  const groups = Map.groupBy(entries, ([account]) => account)
  return new Map([...groups].map(([account, found]) => [account, found.map(([, each]) => each)]))
}
