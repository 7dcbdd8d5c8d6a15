import type { Message } from '#src/simulator/codec.ts'

const hex = (bytes: unknown) => Buffer.from((bytes ?? []) as Uint8Array).toString('hex')
const trimmed = (bytes: unknown) => hex(bytes).replace(/^(00)+/, '')

interface Slot {
  readonly slot: string
  readonly value: string
}

/** What the changes of state of one family say, by the table of the reference; claimed from the last transaction to the first. */
export class StateContext {
  readonly files: number[] = []
  readonly tokens: number[] = []
  readonly topics: number[] = []
  readonly nodes: number[] = []
  readonly registeredNodes: number[] = []
  readonly supplies = new Map<number, number>()
  readonly messages = new Map<number, { sequence: number; runningHash: string }>()
  readonly airdrops = new Map<string, number>()
  readonly aliases = new Map<number, string>()
  readonly codes = new Map<number, string>()
  /** By contract, or `account/hook`. */
  readonly slots = new Map<string, Slot[]>()
  identical = 0
  deleted = 0

  constructor(changes: readonly Message[]) {
    for (const change of changes) {
      const { stateId, mapUpdate, mapDelete } = change as { stateId: number; mapUpdate?: Message; mapDelete?: Message }
      if (mapUpdate) this.#update(stateId, mapUpdate)
      if (mapDelete) this.#delete(stateId, mapDelete['key'] as Message)
    }
    for (const list of [this.files, this.tokens, this.topics, this.nodes]) list.sort((left, right) => left - right)
    this.registeredNodes.reverse()
  }

  #update(stateId: number, { key, value, identical }: Message): void {
    const [id, held] = [key as Message, (value ?? {}) as Message]
    const num = (field: string, name: string) => Number(((id[field] ?? {}) as Message)[name] ?? 0)
    if (identical) this.identical += 1
    else if (stateId === 2) this.#account(num('accountIdKey', 'accountNum'), held['accountValue'] as Message)
    else if (stateId === 4 || stateId === 52) this.#slot(id, (held['slotValueValue'] as Message)['value'])
    else if (stateId === 5)
      this.codes.set(num('contractIdKey', 'contractNum'), hex((held['bytecodeValue'] as Message)['code']))
    else if (stateId === 6) this.files.push(num('fileIdKey', 'fileNum'))
    else if (stateId === 7) this.#token(num('tokenIdKey', 'tokenNum'), held['tokenValue'] as Message)
    else if (stateId === 20) this.nodes.push(num('entityNumberKey', 'value'))
    else if (stateId === 21) this.#topic(num('topicIdKey', 'topicNum'), held['topicValue'] as Message)
    else if (stateId === 25) this.#airdrop(id['pendingAirdropIdKey'] as Message, held)
    else if (stateId === 56) this.registeredNodes.push(num('nodeIdKey', 'id'))
  }

  #delete(stateId: number, key: Message): void {
    this.deleted += 1
    if (stateId === 4 || stateId === 52) this.#slot(key, undefined)
  }

  #account(num: number, { alias }: Message): void {
    if (alias) this.aliases.set(num, hex(alias))
  }

  #slot({ slotKeyKey, evmHookSlotKey }: Message, value: unknown): void {
    const slotKey = (slotKeyKey ?? evmHookSlotKey) as Message
    const owner = slotKeyKey ? String((slotKey['contractID'] as Message)['contractNum']) : hookName(slotKey['hookId'])
    const known = this.slots.get(owner) ?? []
    this.slots.set(owner, [...known, { slot: trimmed(slotKey['key']), value: trimmed(value) }])
  }

  #token(num: number, { totalSupply }: Message): void {
    this.tokens.push(num)
    this.supplies.set(num, Number(totalSupply ?? 0))
  }

  #topic(num: number, { sequenceNumber, runningHash }: Message): void {
    this.topics.push(num)
    if (sequenceNumber) this.messages.set(num, { sequence: Number(sequenceNumber), runningHash: hex(runningHash) })
  }

  #airdrop(key: Message, { accountPendingAirdropValue }: Message): void {
    const amount = ((accountPendingAirdropValue as Message)['pendingAirdropValue'] as Message | undefined)?.['amount']
    if (amount !== undefined) this.airdrops.set(airdropName(key), Number(amount))
  }
}

export function airdropName({ senderId, receiverId, fungibleTokenType }: Message): string {
  const [sender, receiver] = [senderId, receiverId].map((id) => (id as Message)['accountNum'])
  return `${sender}/${receiver}/${(fungibleTokenType as Message | undefined)?.['tokenNum']}`
}

export function hookName(hookId: unknown): string {
  const { entityId, hookId: id } = hookId as { entityId: Message; hookId: number }
  const { accountId, contractId } = entityId as { accountId?: Message; contractId?: Message }
  return `${accountId?.['accountNum'] ?? contractId?.['contractNum']}/${id}`
}
