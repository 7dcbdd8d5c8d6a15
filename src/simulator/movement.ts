/** Account number and tinybars. */
export type Movement = readonly [account: number, amount: number]

export interface TokenMovement {
  readonly token: number
  readonly transfers?: readonly Movement[]
  /** Sender and receiver 0 stand for nobody (mint, burn). */
  readonly nfts?: readonly { readonly serial: number; readonly sender: number; readonly receiver: number }[]
}
