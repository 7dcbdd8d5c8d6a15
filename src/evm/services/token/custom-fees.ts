import { addressOfAccount } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { adjust } from '#src/evm/services/token/relations.ts'
import type { AccountMove, NftMove } from '#src/evm/services/token/transfer.ts'
import { transferHbar } from '#src/evm/services/token/transfer-hbar.ts'
import type { FeeFacts, FixedFeeFacts, TokenFacts } from '#src/evm/token-facts.ts'

const lacking = 'INSUFFICIENT_SENDER_ACCOUNT_BALANCE_FOR_CUSTOM_FEE'

/** What somebody got for what he gave: hbar, or a token. */
export interface Value {
  readonly account: bigint
  /** 0: hbar. */
  readonly token: bigint
  readonly amount: bigint
}

/** Takes the fees of what moved of a fungible token, and says how much its receivers get less: by account. */
export async function chargeFungible(
  call: ServiceCall,
  token: TokenFacts,
  moves: readonly AccountMove[],
): Promise<readonly AccountMove[]> {
  const { fees } = token
  for (const { account, amount } of moves) {
    if (amount >= 0n || isExempt(account, token)) continue
    for (const fee of fees.fixed)
      if (fee.collector !== account && !isOneOf(account, fee, fees)) await pay(call, account, fee)
  }
  return chargeFractions(call, token, moves)
}

/** Shares of what moved: the sender pays them beside it, or the receivers get less. */
async function chargeFractions(
  call: ServiceCall,
  token: TokenFacts,
  moves: readonly AccountMove[],
): Promise<readonly AccountMove[]> {
  let left = [...moves]
  for (const fee of token.fees.fractional) {
    for (const { account: payer, amount } of moves) {
      if (amount >= 0n || isExempt(payer, token) || fee.collector === payer || isOneOf(payer, fee, token.fees)) continue
      const sent = -amount
      const due = share(sent, fee)
      if (due === 0n) continue
      if (fee.netOfTransfers) await adjust(call, token, payer, -due, lacking)
      else left = takeFrom(left, due, sent)
      await adjust(call, token, fee.collector, due)
    }
  }
  return left
}

function share(sent: bigint, { numerator, denominator, minimum, maximum }: FeeFacts['fractional'][number]): bigint {
  must(denominator !== 0n, 'FRACTION_DIVIDES_BY_ZERO')
  const part = (sent * numerator) / denominator
  const least = part < minimum ? minimum : part
  return maximum > 0n && least > maximum ? maximum : least
}

/** Lowers what receivers get, each by his share; the last one bears the rest. */
function takeFrom(moves: readonly AccountMove[], due: bigint, sent: bigint): AccountMove[] {
  let rest = due
  const credits = moves.filter(({ amount }) => amount > 0n)
  const last = credits.at(-1)
  return moves.map((move) => {
    if (move.amount <= 0n) return move
    const part = move === last ? rest : (due * move.amount) / sent
    rest -= part
    must(part <= move.amount, 'INSUFFICIENT_PAYER_BALANCE_FOR_CUSTOM_FEE')
    return { ...move, amount: move.amount - part }
  })
}

/** Takes royalties of an NFT out of what its sender gets for it, or what stands for them from who receives it. */
export async function chargeNft(
  call: ServiceCall,
  token: TokenFacts,
  { sender, receiver }: NftMove,
  values: readonly Value[],
): Promise<void> {
  if (isExempt(sender, token)) return
  for (const fee of token.fees.fixed) if (fee.collector !== sender) await pay(call, sender, fee)
  const got = values.filter(({ account, amount }) => account === sender && amount > 0n)
  for (const fee of token.fees.royalty) {
    if (fee.collector === sender || isOneOf(sender, fee, token.fees)) continue
    if (got.length === 0 && fee.fallback !== null && receiver !== token.treasury)
      await pay(call, receiver, { ...fee.fallback, collector: fee.collector, collectorsAreExempt: false })
    for (const { token: paid, amount } of got)
      await pay(call, sender, { ...fee, amount: (amount * fee.numerator) / fee.denominator, token: paid })
  }
}

async function pay(call: ServiceCall, payer: bigint, { amount, token: id, collector }: FixedFeeFacts): Promise<void> {
  if (payer === collector || amount === 0n) return
  if (id === 0n) {
    const [from, to] = await Promise.all([addressOfAccount(call.world, payer), addressOfAccount(call.world, collector)])
    return transferHbar(call, from, to, amount, lacking)
  }
  const token = await call.tokens.token(id)
  must(token !== undefined, 'INVALID_TOKEN_ID')
  await adjust(call, token, payer, -amount, lacking)
  await adjust(call, token, collector, amount)
}

/** The treasury pays no fees of its own token. */
function isExempt(account: bigint, { treasury }: TokenFacts): boolean {
  return account === treasury
}

function isOneOf(
  account: bigint,
  { collectorsAreExempt }: { readonly collectorsAreExempt: boolean },
  { fixed, fractional, royalty }: FeeFacts,
): boolean {
  return collectorsAreExempt && [...fixed, ...fractional, ...royalty].some(({ collector }) => collector === account)
}
