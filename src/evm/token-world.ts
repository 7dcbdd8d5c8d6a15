import { OverlaidFacts } from '#src/evm/overlaid-facts.ts'
import type { AssociationFacts, NftFacts, RelationFacts, TokenFacts, TokenLedger } from '#src/evm/token-facts.ts'
import type { UndoLog } from '#src/evm/undo-log.ts'

interface Handover {
  readonly from: bigint
  readonly to: bigint
}

/** An NFT, and how many handovers of its token it has behind it. */
interface KeptNft {
  readonly nft: NftFacts | undefined
  readonly handovers: number
}

function handedOver(nft: NftFacts, { from, to }: Handover): NftFacts {
  return nft.owner === from ? { ...nft, owner: to, spender: 0n } : nft
}

/** Tokens as a simulated transaction sees and changes them: what frames that fail changed is taken back with all else. */
export class TokenWorld implements TokenLedger {
  readonly #ledger: TokenLedger
  readonly #facts: OverlaidFacts

  constructor(ledger: TokenLedger, changes: UndoLog) {
    this.#ledger = ledger
    this.#facts = new OverlaidFacts(changes)
  }

  token(id: bigint): Promise<TokenFacts | undefined> {
    return this.#facts.get(`token ${id}`, () => this.#ledger.token(id))
  }

  /** undefined deletes it. */
  setToken(id: bigint, facts: TokenFacts | undefined): void {
    this.#facts.set(`token ${id}`, facts)
  }

  relation(token: bigint, account: bigint): Promise<RelationFacts | undefined> {
    return this.#facts.get(`relation ${token} ${account}`, () => this.#ledger.relation(token, account))
  }

  setRelation(token: bigint, account: bigint, facts: RelationFacts | undefined): void {
    this.#facts.set(`relation ${token} ${account}`, facts)
  }

  /** Whoever has it by now, where the treasury handed over all that it had. */
  async nft(token: bigint, serial: bigint): Promise<NftFacts | undefined> {
    const kept = this.#facts.get<KeptNft>(`nft ${token} ${serial}`, async () => {
      return { nft: await this.#ledger.nft(token, serial), handovers: 0 }
    })
    const { nft, handovers } = await kept
    if (nft === undefined) return undefined
    return this.#handoversOf(token).slice(handovers).reduce(handedOver, nft)
  }

  setNft(token: bigint, serial: bigint, nft: NftFacts | undefined): void {
    const kept: KeptNft = { nft, handovers: this.#handoversOf(token).length }
    this.#facts.set(`nft ${token} ${serial}`, kept)
  }

  /** Gives all NFTs of a token that one account has to another one. */
  handOver(token: bigint, from: bigint, to: bigint): void {
    this.#facts.set(`handovers ${token}`, [...this.#handoversOf(token), { from, to }])
  }

  #handoversOf(token: bigint): readonly Handover[] {
    return this.#facts.changed<readonly Handover[]>(`handovers ${token}`) ?? []
  }

  lastSerial(token: bigint): Promise<bigint> {
    return this.#facts.get(`serial ${token}`, () => this.#ledger.lastSerial(token))
  }

  setLastSerial(token: bigint, serial: bigint): void {
    this.#facts.set(`serial ${token}`, serial)
  }

  allowance(owner: bigint, spender: bigint, token: bigint): Promise<bigint> {
    return this.#facts.get(`allowance ${owner} ${spender} ${token}`, () =>
      this.#ledger.allowance(owner, spender, token),
    )
  }

  setAllowance(owner: bigint, spender: bigint, token: bigint, amount: bigint): void {
    this.#facts.set(`allowance ${owner} ${spender} ${token}`, amount)
  }

  approvedForAll(owner: bigint, spender: bigint, token: bigint): Promise<boolean> {
    return this.#facts.get(`all ${owner} ${spender} ${token}`, () => this.#ledger.approvedForAll(owner, spender, token))
  }

  setApprovedForAll(owner: bigint, spender: bigint, token: bigint, isApproved: boolean): void {
    this.#facts.set(`all ${owner} ${spender} ${token}`, isApproved)
  }

  airdrop(sender: bigint, receiver: bigint, token: bigint, serial: bigint): Promise<bigint | undefined> {
    const key = `airdrop ${sender} ${receiver} ${token} ${serial}`
    return this.#facts.get(key, () => this.#ledger.airdrop(sender, receiver, token, serial))
  }

  setAirdrop(sender: bigint, receiver: bigint, token: bigint, serial: bigint, amount: bigint | undefined): void {
    this.#facts.set(`airdrop ${sender} ${receiver} ${token} ${serial}`, amount)
  }

  associations(account: bigint): Promise<AssociationFacts> {
    return this.#facts.get(`associations ${account}`, () => this.#ledger.associations(account))
  }

  setAssociations(account: bigint, facts: AssociationFacts): void {
    this.#facts.set(`associations ${account}`, facts)
  }
}
