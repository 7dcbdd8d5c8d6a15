import type { Fail } from '#src/domain/field-reader.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { type BlockTransaction, topOf } from '#src/importer/block/records/block-transaction.ts'
import { assertTracePlaces } from '#src/importer/block/records/evm/assert-trace-places.ts'
import { type EvmResult, evmResultOf } from '#src/importer/block/records/evm/evm-result.ts'
import { type EvmTrace, evmTraceOf } from '#src/importer/block/records/evm/evm-trace.ts'
import {
  actionsSidecar,
  initcodeSidecar,
  runtimeSidecar,
  stateChangesSidecar,
} from '#src/importer/block/records/evm/sidecars.ts'
import { writeSlotChanges } from '#src/importer/block/records/evm/slot-changes.ts'
import { idText, type MessageId } from '#src/importer/block/records/ids.ts'
import { kindsOfAnyRecord, kindsOfRecords } from '#src/importer/block/records/kinds/index.ts'
import type { Drafting, RecordDraft } from '#src/importer/block/records/record-draft.ts'
import { StateContext } from '#src/importer/block/records/state/state-context.ts'
import type { BlockTransactions } from '#src/importer/block/records/transactions.ts'

/** What the EVM did for a transaction. */
export interface EvmExecution {
  readonly result: EvmResult
  readonly trace: EvmTrace | undefined
  /** Of the family. */
  readonly context: StateContext
}

/** A transaction with what its family's state tells of its record. */
export interface DraftedRecord {
  readonly transaction: BlockTransaction
  readonly draft: RecordDraft
  readonly evm: EvmExecution | undefined
  /** Serialized TransactionSidecarRecords. */
  readonly sidecars: readonly Buffer[]
}

/**
 * Drafts the records of a block from its last transaction to its first: the state has final values only, so that each takes what
 * it reads back to what it was before. Resolves nothing that earlier blocks have to tell.
 */
export class RecordDrafts {
  readonly warnings: string[] = []
  readonly #read: BlockTransactions
  readonly #fail: Fail
  readonly #contexts = new Map<BlockTransaction, StateContext>()
  /** Contracts whose creating code some trace tells, and those that have a creation of their own; by family. */
  readonly #toldCode = new ContractsByFamily()
  readonly #created = new ContractsByFamily()

  constructor(read: BlockTransactions, fail: Fail) {
    this.#read = read
    this.#fail = fail
  }

  /** In the order of the block. */
  draftAll(): DraftedRecord[] {
    const { transactions } = this.#read
    const executions = transactions.map((transaction) => this.#executionOf(transaction))
    assertTracePlaces(
      executions.flatMap((evm, index) => (evm ? [{ ...evm, transaction: transactions[index]! }] : [])),
      this.#fail,
    )
    for (const [index, evm] of executions.entries()) if (evm) this.#noteCode(transactions[index]!, evm)
    const drafted: DraftedRecord[] = new Array(transactions.length)
    for (let index = transactions.length - 1; index >= 0; index--)
      drafted[index] = this.#draft(transactions[index]!, executions[index])
    return drafted
  }

  #executionOf(transaction: BlockTransaction): EvmExecution | undefined {
    const result = evmResultOf(transaction, this.#fail)
    if (!result) return undefined
    return { result, trace: evmTraceOf(transaction, this.#fail), context: this.#contextOf(transaction) }
  }

  #noteCode({ body }: BlockTransaction, { result, trace, context }: EvmExecution): void {
    if (trace?.initcode) this.#toldCode.add(context, trace.initcode.contract ?? result.contract)
    if (body.type === transactionType.contractCreate) this.#created.add(context, result.contract)
  }

  #contextOf(transaction: BlockTransaction): StateContext {
    const top = topOf(transaction)
    const known = this.#contexts.get(top)
    if (known) return known
    const context = new StateContext(this.#read.stateChanges.get(top.result.time) ?? [], this.#fail)
    this.#contexts.set(top, context)
    return context
  }

  #draft(transaction: BlockTransaction, evm: EvmExecution | undefined): DraftedRecord {
    const draft: RecordDraft = {}
    const { type } = transaction.body
    const kind = (transaction.successful ? kindsOfRecords[type] : undefined) ?? kindsOfAnyRecord[type]
    if (!kind && !evm) return { transaction, draft, evm, sidecars: [] }
    const drafting: Drafting = {
      transaction,
      context: this.#contextOf(transaction),
      draft,
      fail: this.#fail,
      warn: (what) => this.warnings.push(`the transaction at ${transaction.result.time} ns does not tell ${what}`),
    }
    const sidecars = evm ? this.#sidecars(evm, drafting) : []
    if (evm) setContract(evm.result, transaction, draft)
    kind?.(drafting)
    return { transaction, draft, evm, sidecars }
  }

  #sidecars({ result, trace, context }: EvmExecution, drafting: Drafting): Buffer[] {
    const { timestamp } = drafting.transaction.result
    const code = trace?.initcode
      ? initcodeSidecar(timestamp, result, trace.initcode, context)
      : this.#codeOfBody(result, drafting)
    const changes = trace
      ? stateChangesSidecar(timestamp, writeSlotChanges(trace.slotUsages, result, drafting))
      : undefined
    const actions = trace && actionsSidecar(timestamp, trace)
    return [code, changes, actions].filter((sidecar) => sidecar !== undefined)
  }

  /**
   * A creation that no trace tells the code of has it in its body. An Ethereum transaction tells it only where the contract has no creation of its
   * own.
   */
  #codeOfBody(result: EvmResult, { transaction, context }: Drafting): Buffer | undefined {
    const { contract, isCreate } = result
    if (!isCreate || !contract || this.#toldCode.has(context, contract)) return undefined
    if (transaction.body.type !== transactionType.contractCreate && this.#created.has(context, contract))
      return undefined
    return runtimeSidecar(transaction.result.timestamp, result, context)
  }
}

class ContractsByFamily {
  readonly #contracts = new Map<StateContext, Set<string>>()

  add(context: StateContext, contract: MessageId | undefined): void {
    if (!contract) return
    const contracts = this.#contracts.get(context) ?? new Set()
    this.#contracts.set(context, contracts.add(idText(contract)))
  }

  has(context: StateContext, contract: MessageId): boolean {
    return this.#contracts.get(context)?.has(idText(contract)) ?? false
  }
}

/** Precompiled contracts of the network: token service, exchange rates, random numbers, accounts and schedules. */
const systemContracts = [359n, 363n] as const

/**
 * The contract in the receipt. There is none where an Ethereum transaction did not run, and where a system contract did its work by a
 * transaction of its own.
 */
function setContract(result: EvmResult, { result: { parentTime } }: BlockTransaction, draft: RecordDraft): void {
  const { contract, contractId, isEthereum, gasUsed } = result
  const number = contract?.number ?? 0n
  const isSystemWork = parentTime !== undefined && number >= systemContracts[0] && number <= systemContracts[1]
  if (contractId && !isSystemWork && !(isEthereum && gasUsed === 0n)) draft.contractId = contractId
}
