import { type Command, InvalidArgumentError } from 'commander'
import { folderOf, folderPaths } from '#src/cli/data-folder.ts'
import { type Engines, enginesOf } from '#src/cli/engines.ts'
import { generationState, generationsOf, withLog } from '#src/cli/importing/import-deployment.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb, type VerbContext } from '#src/cli/run-verb.ts'
import { describeTopic, describeType, formatTopic, formatType } from '#src/cli/topics/describe.ts'
import { formatEvent, formatWholeEvent } from '#src/cli/topics/format-event.ts'
import { generationToShow, planOf } from '#src/cli/topics/generation-to-show.ts'
import { createLineOutput } from '#src/cli/topics/line-output.ts'
import { formatTopicSummary, type ListedTopic, topicToJson } from '#src/cli/topics/list.ts'
import { optionalInstant } from '#src/config/keys.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type EventType, eventTypes, type TopicName, topicNames } from '#src/events/event-types.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import { createEventFilter } from '#src/topics/event-filter.ts'
import { type BytesEncoding, type DecodedRecord, recordToJson } from '#src/topics/event-view.ts'
import { firstSequenceAt } from '#src/topics/time-search.ts'
import { summarizeTopic } from '#src/topics/topic-summary.ts'
import { tailTopic } from '#src/topics/topic-tail.ts'

const settings = ['data', 'network', 'engine', 'kafka', 'mongodb', 'registry', 'log'] as const
const countDefault = 10
/** Most events that a look back from the end holds in memory. */
const lookBackMax = 10_000

const listExamples = `
Examples:
  ledger-history topics list
  ledger-history topics list --all --json --data /var/ledger`

export function addTopicsList(group: Command): void {
  const command = group
    .command('list')
    .description('List the generations of the log, what is published of them, and what events they hold')
  addConfigOptions(command, settings)
  command.option('--all', 'look at every event, not only at both ends of each log')
  command.option('--json', 'print JSON').addHelpText('after', listExamples)
  command.action(() =>
    runVerb(command, async (context) => {
      const { all = false, json = false } = command.opts<{ all?: boolean; json?: boolean }>()
      const engines = openEngines(context)
      const topics: ListedTopic[] = []
      const plan = await planOf(engines)
      for (const generation of generationsOf(plan)) {
        const state = generationState(plan, generation)
        for (const topic of topicNames) {
          if (topic !== 'transactions' && !(await engines.hasLog(generation, topic))) continue
          const look = (log: MessageLog) => summarizeTopic(log, all, context.signal, topic)
          const summary = await withLog({ engines }, generation, look, topic)
          topics.push({ generation, topic, name: engines.logName(generation, topic), state, summary })
        }
      }
      const text = json ? JSON.stringify(topics.map(topicToJson)) : topics.map(formatTopicSummary).join('\n\n')
      context.terminal.print(text)
    }),
  )
}

const describeExamples = `
Examples:
  ledger-history topics describe
  ledger-history topics describe TransactionRecorded
  ledger-history topics describe --topic contract-logs
  ledger-history topics describe BlockRecorded --json | jq -r '.fields[].name'`

export function addTopicsDescribe(group: Command): void {
  const command = group
    .command('describe')
    .argument('[type]', `one of ${eventTypes.join(', ')}`, parseEventType)
    .description('Say what a topic holds: keys, headers, and the fields of one type of event')
  addConfigOptions(command, settings)
  addTopicOption(command)
  command.option('--json', 'print JSON').addHelpText('after', describeExamples)
  command.action((type: EventType | undefined) =>
    runVerb(command, async ({ config, terminal }) => {
      const { json = false, topic } = command.opts<{ json?: boolean; topic: TopicName }>()
      const name = `${config.kafka.topicPrefix}.${topic}`
      if (json) terminal.print(JSON.stringify(type ? describeType(type) : describeTopic(topic, name)))
      else terminal.print(type ? formatType(describeType(type)) : formatTopic(topic, name))
    }),
  )
}

const tailExamples = `
Examples:
  ledger-history topics tail --follow                              the last ten events, then each new one
  ledger-history topics tail --type CRYPTOTRANSFER --entity 0.0.1001 --count 5
  ledger-history topics tail --time 2024-05-29T16:00:00Z --where successful=false
  ledger-history topics tail --sequence 1 --json --count 1000 | jq .event.chargedTxFee
  ledger-history topics tail --topic contract-logs --entity 0.0.1234 --follow`

interface TailFlags {
  readonly type: readonly string[]
  readonly result: readonly string[]
  readonly entity: readonly string[]
  readonly account: readonly string[]
  readonly where: readonly string[]
  readonly sequence?: number
  readonly time?: bigint
  readonly count?: number
  readonly generation?: number
  readonly topic: TopicName
  readonly bytes: BytesEncoding
  readonly follow?: boolean
  readonly full?: boolean
  readonly json?: boolean
}

export function addTopicsTail(group: Command): void {
  const command = group.command('tail').description('Print decoded events from the log')
  addConfigOptions(command, settings)
  addTopicOption(command)
    .option('--type <name>', 'type of event or of transaction; a list takes each of them', collectList, [])
    .option(
      '--result <code>',
      'result of a transaction, such as SUCCESS or 22; a list takes each of them',
      collectList,
      [],
    )
    .option('--entity <id>', 'events that name this entity anywhere; a list takes each of them', collectList, [])
    .option('--account <id>', 'the same as --entity', collectList, [])
    .option(
      '--where <field=value>',
      'a field has this value, as maxFee=100 or transfers.amount=-5; may be given again',
      collect,
      [],
    )
    .option('--sequence <number>', 'begin at this sequence', integerBetween(1, Number.MAX_SAFE_INTEGER))
    .option('--time <instant>', 'begin at this consensus time: 2024-05-29T16:00:00Z, or seconds.nanos', parseTime)
    .option(
      '--count <number>',
      `most events (default ${countDefault} from the end, else all)`,
      integerBetween(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--generation <number>', 'generation of the log (default: the one that serves)', integerBetween(1, 1e6))
    .option('--follow', 'wait for new events')
    .option('--full', 'every field that is not empty, instead of a line per event')
    .option('--bytes <encoding>', 'bytes in JSON as hex or base64', parseBytes, 'hex')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', tailExamples)
  command.action(() => runVerb(command, (context) => tail(context, command.opts<TailFlags>())))
}

async function tail(context: VerbContext, flags: TailFlags): Promise<void> {
  const filter = createEventFilter({
    types: flags.type,
    results: flags.result,
    entities: [...flags.entity, ...flags.account],
    where: flags.where,
  })
  const fromStart = flags.sequence !== undefined || flags.time !== undefined
  if (!fromStart && (flags.count ?? 0) > lookBackMax) {
    const message = `--count from the end goes up to ${lookBackMax}; say where to begin with --sequence or --time`
    throw new LedgerError('config_invalid', message)
  }
  const engines = enginesToRead(context)
  const generation = await generationToShow(engines, flags.generation)
  const output = createLineOutput(process.stdout)
  const signal = AbortSignal.any([context.signal, output.gone])
  const most = flags.count ?? (fromStart ? Number.POSITIVE_INFINITY : countDefault)
  try {
    const show = async (log: MessageLog): Promise<void> => {
      const from = await startOf(log, flags, signal)
      const options = { log, filter, from, countMax: most, follow: flags.follow === true, signal }
      for await (const decoded of tailTopic(options)) await output.write(lineOf(decoded, flags))
    }
    await withLog({ engines }, generation, show, flags.topic)
  } finally {
    output.release()
  }
}

function lineOf(decoded: DecodedRecord, { json, full, bytes }: TailFlags): string {
  if (json) return JSON.stringify(recordToJson(decoded, bytes))
  return full ? formatWholeEvent(decoded) : formatEvent(decoded)
}

async function startOf(
  log: MessageLog,
  { sequence, time }: TailFlags,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (time === undefined) return sequence
  const found = await firstSequenceAt(log, time, signal)
  return Math.max(found, sequence ?? 1)
}

/** What is on Kafka is read without a data folder. */
function enginesToRead(context: VerbContext): Engines {
  const { config, logger } = context
  return config.engine.log === 'kafka' ? enginesOf(config, folderPaths(config), logger) : openEngines(context)
}

function openEngines({ config, logger }: VerbContext): Engines {
  return enginesOf(config, folderOf(config, undefined, 'existing'), logger)
}

function addTopicOption(command: Command): Command {
  const text = `which topic: ${topicNames.join(', ')}`
  return command.option('--topic <name>', text, parseTopic, 'transactions')
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function collectList(value: string, before: readonly string[]): readonly string[] {
  return [...before, ...value.split(',')]
}

function integerBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be an integer ${min} to ${max}.`)
  }
}

const instant = optionalInstant({ description: 'where to begin' })

function parseTime(text: string): bigint {
  const parsed = instant.parse(text)
  if ('value' in parsed && parsed.value !== null) return parsed.value
  throw new InvalidArgumentError('It must be as 2024-05-29T16:00:00Z or 1717000000.000000001.')
}

function parseBytes(text: string): BytesEncoding {
  if (text === 'hex' || text === 'base64') return text
  throw new InvalidArgumentError('It must be hex or base64.')
}

function parseTopic(text: string): TopicName {
  const topic = topicNames.find((each) => each === text)
  if (topic) return topic
  throw new InvalidArgumentError(`There are ${topicNames.join(', ')}.`)
}

function parseEventType(text: string): EventType {
  const type = eventTypes.find((each) => each.toLowerCase() === text.toLowerCase())
  if (type) return type
  throw new InvalidArgumentError(`There are ${eventTypes.join(', ')}.`)
}
