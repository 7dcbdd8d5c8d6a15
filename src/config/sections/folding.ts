import { type ConfigTree, decimal, flag, integer, list, optionalInteger } from '#src/config/keys.ts'
import { type CopyName, copyNames } from '#src/events/event-types.ts'
import { defaultProjectorLimits as projector } from '#src/runtime/fold/projector-limits.ts'

/** How read models are kept, and what memory that may take. */
export const foldingSettings = {
  projection: {
    lanes: integer({
      default: 0,
      min: 0,
      max: 64,
      flag: 'lanes',
      description: 'Threads that the read models are spread over; 0 takes as many as the machine has cores, at most 4',
    }),
    readCountMax: integer({
      default: projector.readCountMax,
      min: 1,
      max: 100_000,
      description: 'Most events read at once',
    }),
    readBytesMax: integer({
      default: projector.readBytesMax,
      min: 1_024,
      max: 268_435_456,
      unit: 'bytes',
      description: 'Roughly the most event bytes read at once',
    }),
    commitEventsMax: integer({
      default: projector.commitEventsMax,
      min: 1,
      max: 1_000_000,
      description:
        'Most events per commit while catching up; at the head every batch is committed, and MongoDB takes no more than 8,192',
    }),
    commitRowsMax: integer({
      default: projector.commitRowsMax,
      min: 1,
      max: 10_000_000,
      description: 'Rows after which a commit is made early, whatever the number of events',
    }),
    cacheBytesMax: integer({
      default: projector.cacheBytesMax,
      min: 0,
      max: 17_179_869_184,
      unit: 'bytes',
      description: 'Rows that all stateful read models of a projector keep in memory, together',
    }),
  },

  scrub: {
    everyHours: decimal({
      default: 24,
      min: 0,
      max: 8_760,
      unit: 'hours',
      description:
        'How often whoever keeps a read model up to date reads every row and index of it, to find what changed on the disk; 0 never does',
    }),
    hour: optionalInteger({
      min: 0,
      max: 23,
      description: 'Hour of the day (UTC) in which that begins; unless given, as soon as it is due',
    }),
    cpuShare: decimal({
      default: 0.05,
      min: 0.001,
      max: 1,
      description:
        'Share of the time of one core that it may take, on a thread of the lowest priority; it works for a moment and rests for as long as that asks for',
    }),
  },

  contractLogs: {
    made: flag({
      default: true,
      description:
        "Make logs of contracts for what the ledger's own tokens do. This and the next two hold for read models that are built from then on: rebuild `contract-logs` after a change",
    }),
    multiParty: flag({
      default: true,
      description: 'Make them also for transactions that move more than two tokens',
    }),
    evmAddresses: flag({
      default: true,
      description: 'Name accounts in them by the EVM address that they have, instead of their number',
    }),
  },

  output: {
    publish: flag({
      default: true,
      description:
        'Whether what read models publish for subscribers, as contract-logs does, is written to topics of its own; turned on later, it begins with the first',
    }),
    copies: list<CopyName>(
      {
        default: [],
        description:
          "Subjects of the ledger's log that the importer copies to topics of their own, for subscribers of one subject; none unless given. Turned on later, a topic begins with the first event",
      },
      `list of ${copyNames.join(', ')}`,
      (input) => copyNames.find((name) => name === input),
    ),
    batchEventsMax: integer({
      default: 1_000,
      min: 1,
      max: 100_000,
      description: 'Most events that are published at once',
    }),
  },

  memory: {
    answersMiB: integer({
      default: 32,
      min: 0,
      max: 65_536,
      unit: 'MiB',
      description:
        'Most memory of a process for answers that are kept while their read models do not move; 0 keeps none',
    }),
    readersMiB: integer({
      default: 64,
      min: 1,
      max: 65_536,
      unit: 'MiB',
      description:
        'Most memory of a process for the pages that its readers of embedded read models keep; they share it equally',
    }),
    writersMiB: integer({
      default: 24,
      min: 1,
      max: 65_536,
      unit: 'MiB',
      description:
        'Most memory of a process for the pages that its writers of embedded read models keep: small ones as much as they can use, large ones equal shares of the rest',
    }),
  },
} as const satisfies ConfigTree
