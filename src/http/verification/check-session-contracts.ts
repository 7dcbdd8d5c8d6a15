import { noMatch } from '#commands/verification/steps.ts'
import { isVerificationProblem, VerificationProblem } from '#src/domain/verification/problem.ts'
import { inputOfMetadata, parseJson } from '#src/http/verification/caller-inputs.ts'
import type { SessionContract } from '#src/http/verification/documents.ts'
import { MalformedRequest } from '#src/http/verification/errors.ts'
import type { SessionSources, SessionState } from '#src/http/verification/session-state.ts'
import type { Sessions } from '#src/http/verification/sessions.ts'
import type { Asked, Trial, Verdict, Verifier } from '#src/http/verification/verifier.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'

export interface CheckOptions {
  readonly verifier: Verifier
  readonly sessions: Pick<Sessions, 'read' | 'texts'>
  /** Contracts that are not reached within it are left as they are; ms. */
  readonly waitMs: number
  /** Whether it is only tried, and nothing of it kept. */
  readonly isDryRun: boolean
}

/** Verifies the contracts of a session that a body names, one after the other. Resolves with those that are told otherwise since. */
export async function checkSessionContracts(
  options: CheckOptions,
  id: string,
  given: unknown,
): Promise<SessionContract[]> {
  const session = await options.sessions.read(id)
  if (session.contracts.length === 0)
    throw new VerificationProblem('invalid_input', 'There are currently no pending contracts.')
  const chosen = readChosen(given as readonly unknown[])
  const until = performance.now() + options.waitMs
  const checked: SessionContract[] = []
  for (const contract of session.contracts) {
    const asked = chosen.get(contract.verificationId)
    if (asked === undefined) continue
    const isReached = performance.now() < until
    checked.push(isReached ? await check(options, { id, session, contract, asked }) : notReached(contract))
  }
  return checked
}

/** Who is meant by which contract of the session. */
function readChosen(given: readonly unknown[]): ReadonlyMap<string, Asked> {
  return new Map(
    given.map((each, index) => {
      const { verificationId, address, chainId } = (each ?? {}) as Readonly<Record<string, unknown>>
      const named = { verificationId, address, chainId }
      const wrong = Object.entries(named).find(([, value]) => typeof value !== 'string')
      if (wrong === undefined) return [String(verificationId), { address: String(address), chain: String(chainId) }]
      const path = `/body/contracts/${index}/${wrong[0]}`
      const message = 'must be string'
      const mistakes = [{ path, message, errorCode: 'type.openapi.validation' }]
      throw new MalformedRequest(400, `request${path} ${message}`, mistakes)
    }),
  )
}

interface Checked {
  readonly id: string
  readonly session: SessionState
  readonly contract: SessionContract
  readonly asked: Asked
}

async function check(options: CheckOptions, checked: Checked): Promise<SessionContract> {
  const { contract, asked } = checked
  try {
    const { verifier, isDryRun } = options
    const input = await inputOf(options, checked)
    const told = isDryRun
      ? await verifier.tryOut(asked, input)
      : await verifier.fromCaller(asked, { kind: 'caller', input })
    return { ...withoutOutcome(contract), address: told.address, chainId: asked.chain, ...statusOf(told) }
  } catch (error) {
    if (!isVerificationProblem(error)) throw error
    const { address, chain: chainId } = asked
    return { ...withoutOutcome(contract), address, chainId, status: 'error', statusMessage: error.message }
  }
}

async function inputOf({ sessions }: CheckOptions, { id, session, contract }: Checked): Promise<VerificationInput> {
  const { [contract.verificationId]: own } = session.given
  if (own === undefined) {
    const message = 'It was found by an explorer; verify it from there again, or add its files'
    throw new VerificationProblem('invalid_input', message)
  }
  const texts = await sessions.texts(id, hashesOf(own, session))
  return inputOfMetadata(parseJson(texts.get(own.metadata)!, 'The metadata'), texts)
}

function hashesOf({ metadata, sources }: SessionSources, { files }: SessionState): string[] {
  const wanted = new Set(sources.map(([, keccak]) => keccak))
  return [metadata, ...files.filter(({ keccak }) => wanted.has(keccak)).map(({ hash }) => hash)]
}

function withoutOutcome({ statusMessage: _text, storageTimestamp: _time, ...contract }: SessionContract) {
  return contract
}

function notReached(contract: SessionContract): SessionContract {
  const statusMessage = 'The contracts before it took all the time that a request may; ask for it again'
  return { ...withoutOutcome(contract), status: 'error', statusMessage }
}

type Status = Pick<SessionContract, 'status' | 'statusMessage' | 'storageTimestamp'>

function statusOf({ outcome }: Verdict | Trial): Status {
  if ('status' in outcome) {
    if (outcome.status !== null) return { status: outcome.status }
    return failed(noMatch(outcome))
  }
  const { verified, failed: problem } = outcome
  if (verified !== undefined) return { status: verified.match, storageTimestamp: verified.at }
  return failed(problem ?? { code: 'no_match', message: '' })
}

function failed({ code, message }: Pick<VerificationProblem, 'code' | 'message'>): Status {
  return { status: code === 'extra_file_input_bug' ? 'extra-file-input-bug' : 'error', statusMessage: message }
}
