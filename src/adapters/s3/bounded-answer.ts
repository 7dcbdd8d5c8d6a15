import type { Readable } from 'node:stream'
import { readBody, tooLarge } from '#src/adapters/s3/read-body.ts'
import { printableText } from '#src/domain/printable-text.ts'

/** A thousand names of the greatest length, with all that is said of each, take half of it. */
const listingBytesMax = 4 << 20
/** What a service says of an error is a few hundred. */
const errorBytesMax = 64 << 10
/** Of what is none, so much is looked at and told. */
const beginningLength = 1_024

/** What is expected where the service does what it was asked for: a document, or bytes that the caller reads himself. */
export type Expected = 'ListBucketResult' | 'bytes'

/** The parts of the SDK's response and commands that this needs. */
interface Response {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  body: unknown
}
type Handler = (input: object) => Promise<{ response: unknown }>
/** Of a command as much as the SDK's own types, which know all of its steps, agree on. */
interface Stack {
  add(middleware: (next: Handler) => Handler, options: { step: 'deserialize'; priority: 'low'; name: string }): void
}

/** An answer that is not what was asked for. The SDK and `bucketFailure` go by its status as for any other error. */
class UnfitAnswer extends Error {
  readonly $metadata: { readonly httpStatusCode: number }

  constructor(status: number, reason: string, cause?: unknown) {
    super(`it answers with status ${status}, and ${reason}`, { cause })
    this.$metadata = { httpStatusCode: status }
  }
}

/**
 * Lets the SDK see of a listing or an error only what is one, whole and within bounds: it would collect a body whatever its length,
 * however long that takes, and take a page of a web site for a listing without entries. The signal ends the reading.
 */
export function boundAnswer(
  command: { readonly middlewareStack: object },
  expected: Expected,
  signal: AbortSignal,
): void {
  const bounded =
    (next: Handler): Handler =>
    async (input) => {
      const output = await next(input)
      await boundResponse(output.response as Response, expected, signal)
      return output
    }
  // As close to the wire as possible: what comes behind reads the body.
  const stack = command.middlewareStack as Stack
  stack.add(bounded, { step: 'deserialize', priority: 'low', name: 'boundedAnswer' })
}

async function boundResponse(response: Response, expected: Expected, signal: AbortSignal): Promise<void> {
  const { statusCode: status, body } = response
  const isError = status < 200 || status > 299
  if (!isError && expected === 'bytes') return
  const bytes = await readAll(response, isError ? errorBytesMax : listingBytesMax, signal)
  if (isError && bytes.length === 0) response.body = bytes
  else if (isDocument(bytes, isError ? 'Error' : expected)) response.body = bytes
  // What is not there is told by the status alone.
  else if (status === 404 && expected === 'bytes') response.body = Buffer.alloc(0)
  else throw new UnfitAnswer(status, noDocument(response, bytes, isError ? 'an error' : 'a listing'))
  ;(body as Readable).destroy()
}

async function readAll(
  { statusCode, headers, body }: Response,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const stream = body as Readable
  const size = Number(headers['content-length'] ?? 0)
  try {
    if (size > bytesMax) throw tooLarge(String(size), bytesMax)
    return Buffer.from(await readBody(stream, bytesMax, signal))
  } catch (error) {
    stream.destroy()
    if (signal.aborted) throw error
    throw new UnfitAnswer(statusCode, `the answer cannot be read: ${(error as Error).message}`, error)
  }
}

/** Whether it is XML that begins and ends as one such element, with nothing in front of it that a service does not write. */
function isDocument(bytes: Buffer, root: string): boolean {
  const opening = new RegExp(`^\\uFEFF?\\s*(?:<\\?xml[^>]*\\?>\\s*)?<${root}[\\s>]`)
  const [first, last] = [bytes.subarray(0, beginningLength), bytes.subarray(-beginningLength)].map(String)
  return opening.test(first!) && last!.trimEnd().endsWith(`</${root}>`)
}

function noDocument({ headers }: Response, bytes: Buffer, wanted: string): string {
  const type = headers['content-type'] ?? 'no type'
  const beginning = bytes.subarray(0, beginningLength).toString().replace(/\s+/g, ' ').trim()
  return `with what is not ${wanted} (${type}): ${printableText(beginning).slice(0, 80)}`
}
