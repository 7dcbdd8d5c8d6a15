import type { Message } from '#src/simulator/codec.ts'

/** A key of one of the network's states, and a text that tells it from all others of that state. */
export interface StateKey {
  readonly state: number
  readonly name: string
  readonly key: Message
}

/** What a family leaves different in the network's states: for each key what holds in the end, where it was first touched. */
export class StateDelta {
  readonly #changes = new Map<string, Message>()

  /** A value of which the definitions here know nothing is an empty one. */
  put(key: StateKey, value: Message = {}): void {
    this.#set(key, { mapUpdate: { key: key.key, value } })
  }

  /** An entry that is as it was, of which only the neighbours are others. */
  touch(key: StateKey, value: Message): void {
    this.#set(key, { mapUpdate: { key: key.key, value, identical: true } })
  }

  remove(key: StateKey): void {
    this.#set(key, { mapDelete: { key: key.key } })
  }

  /** StateChange messages. */
  get changes(): Message[] {
    return [...this.#changes.values()]
  }

  #set({ state, name }: StateKey, operation: Message): void {
    this.#changes.set(`${state} ${name}`, { stateId: state, ...operation })
  }
}
