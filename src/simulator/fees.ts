import { accounts } from '#src/simulator/ids.ts'
import type { Movement } from '#src/simulator/movement.ts'

/** Fees in tinybars at 12 US cents an hbar: the network's list prices in US dollars times 833,333,333. */
const feesByBody: { readonly [body: string]: number } = {
  cryptoTransfer: 83_333,
  cryptoCreateAccount: 41_666_667,
  cryptoUpdateAccount: 183_333,
  cryptoDelete: 4_166_667,
  cryptoApproveAllowance: 41_666_667,
  cryptoDeleteAllowance: 41_666_667,
  consensusCreateTopic: 8_333_333,
  consensusSubmitMessage: 666_667,
  consensusUpdateTopic: 183_333,
  tokenCreation: 833_333_333,
  tokenMint: 833_333,
  tokenAssociate: 41_666_667,
  tokenDissociate: 41_666_667,
  tokenAirdrop: 83_333_333,
  fileCreate: 41_666_667,
  fileUpdate: 41_666_667,
  fileAppend: 41_666_667,
  scheduleCreate: 8_333_333,
  contractUpdateInstance: 21_666_667,
}
const otherFee = 833_333

/** Tinybars for a unit of gas. */
export const gasPrice = 71

/** Gas for an account that hbar make where nobody is: its fee in tinycents, at 852 for a unit, which the simple fees say. */
export const accountGas = Math.floor(472_448_800 / 852)

export function defaultFee(bodyField: string): number {
  return feesByBody[bodyField] ?? otherFee
}

/** A duplicate pays for the node and the network, not for a service. */
export function duplicateFee(fee: number): number {
  return Math.ceil(fee / 4)
}

/** Who gets the fee: the submitting node, the network, and the two reward accounts. Sums to `fee`. */
export function feeShares(fee: number, node: number): Movement[] {
  const nodeShare = Math.floor(fee / 20)
  const rewards = Math.floor(fee / 10)
  return [
    [node, nodeShare],
    [accounts.networkFee, fee - nodeShare - 2 * rewards],
    [accounts.stakingReward, rewards],
    [accounts.nodeReward, rewards],
  ]
}
