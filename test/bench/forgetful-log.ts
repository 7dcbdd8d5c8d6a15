import type { LogHead, LogRecord, MessageLog } from '#src/ports/message-log.ts'

/** A log that forgets: what is left is reading, verifying, decoding and encoding. */
export function forgetfulLog(): MessageLog {
  let head: LogHead = { sequence: 0, time: undefined }
  return {
    identity: async () => 'forgetful',
    openWriter: async () => ({
      get head() {
        return head
      },
      append: async (blocks: readonly (readonly LogRecord[])[]) => {
        const count = blocks.reduce((sum, block) => sum + block.length, 0)
        head = { sequence: head.sequence + count, time: blocks.at(-1)?.at(-1)?.time }
        return head
      },
      close: async () => {},
    }),
    async *read() {},
    head: async () => head,
    close: async () => {},
  }
}
