import type { AssociationFacts, NftFacts, RelationFacts, TokenFacts, TokenLedger } from '#src/evm/token-facts.ts'
import type { UndoLog } from '#src/evm/undo-log.ts'

/** Tokens as a simulated transaction sees and changes them: what frames that fail changed is taken back with all else. */
export class TokenWorld implements TokenLedger {
  readonly #ledger: TokenLedger
  readonly #changes: UndoLog
  readonly #read = new Map<string, Promise<unknown>>()

  constructor(ledger: TokenLedger, changes: UndoLog) {
    this.#ledger = ledger
    this.#changes = changes
  }

  token(id: bigint): Promise<TokenFacts | undefined> {
    return this.#get(`token ${id}`, () => this.#ledger.token(id))
  }

  /** undefined deletes it. */
  setToken(id: bigint, facts: TokenFacts | undefined): void {
    this.#changes.set(`token ${id}`, facts)
  }

  relation(token: bigint, account: bigint): Promise<RelationFacts | undefined> {
    return this.#get(`relation ${token} ${account}`, () => this.#ledger.relation(token, account))
  }

  setRelation(token: bigint, account: bigint, facts: RelationFacts | undefined): void {
    this.#changes.set(`relation ${token} ${account}`, facts)
  }

  nft(token: bigint, serial: bigint): Promise<NftFacts | undefined> {
    return this.#get(`nft ${token} ${serial}`, () => this.#ledger.nft(token, serial))
  }

  setNft(token: bigint, serial: bigint, facts: NftFacts | undefined): void {
    this.#changes.set(`nft ${token} ${serial}`, facts)
  }

  lastSerial(token: bigint): Promise<bigint> {
    return this.#get(`serial ${token}`, () => this.#ledger.lastSerial(token))
  }

  setLastSerial(token: bigint, serial: bigint): void {
    this.#changes.set(`serial ${token}`, serial)
  }

  allowance(owner: bigint, spender: bigint, token: bigint): Promise<bigint> {
    return this.#get(`allowance ${owner} ${spender} ${token}`, () => this.#ledger.allowance(owner, spender, token))
  }

  setAllowance(owner: bigint, spender: bigint, token: bigint, amount: bigint): void {
    this.#changes.set(`allowance ${owner} ${spender} ${token}`, amount)
  }

  approvedForAll(owner: bigint, spender: bigint, token: bigint): Promise<boolean> {
    return this.#get(`all ${owner} ${spender} ${token}`, () => this.#ledger.approvedForAll(owner, spender, token))
  }

  setApprovedForAll(owner: bigint, spender: bigint, token: bigint, isApproved: boolean): void {
    this.#changes.set(`all ${owner} ${spender} ${token}`, isApproved)
  }

  airdrop(sender: bigint, receiver: bigint, token: bigint, serial: bigint): Promise<bigint | undefined> {
    const key = `airdrop ${sender} ${receiver} ${token} ${serial}`
    return this.#get(key, () => this.#ledger.airdrop(sender, receiver, token, serial))
  }

  setAirdrop(sender: bigint, receiver: bigint, token: bigint, serial: bigint, amount: bigint | undefined): void {
    this.#changes.set(`airdrop ${sender} ${receiver} ${token} ${serial}`, amount)
  }

  associations(account: bigint): Promise<AssociationFacts> {
    return this.#get(`associations ${account}`, () => this.#ledger.associations(account))
  }

  setAssociations(account: bigint, facts: AssociationFacts): void {
    this.#changes.set(`associations ${account}`, facts)
  }

  #get<T>(key: string, read: () => Promise<T>): Promise<T> {
    if (this.#changes.has(key)) return Promise.resolve(this.#changes.get(key) as T)
    let found = this.#read.get(key) as Promise<T> | undefined
    if (found === undefined) {
      found = read()
      this.#read.set(key, found)
    }
    return found
  }
}
