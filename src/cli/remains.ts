import { rmSync } from 'node:fs'
import type { KafkaConnectionOptions } from '#src/adapters/kafka/options.ts'
import { hasSqliteLog, removeSqliteLog } from '#src/adapters/sqlite/remove-log.ts'
import type { Config } from '#src/config/schema.ts'

/** Something of a read model that lies outside plan and rows. */
export interface Remains {
  /** As it reads after "removed". */
  readonly label: string
  /** Resolves to false where there was nothing. */
  remove(): Promise<boolean>
}

export interface WantedRemains {
  /** `name@instance` of each that reported its progress as a consumer group. */
  readonly groups: readonly string[]
  /** Names of topics that it published. */
  readonly output: readonly string[]
  /** Generations of the log, each of which has those topics. */
  readonly generations: readonly number[]
}

/** In a data folder: what was published, in folders beside each generation of the log. */
export function embeddedRemains(
  { output, generations }: WantedRemains,
  folderOf: (generation: number, output: string) => string,
): readonly Remains[] {
  return output.flatMap((name) =>
    generations.map((generation) => {
      const folder = folderOf(generation, name)
      const remove = async (): Promise<boolean> => {
        if (!hasSqliteLog(folder)) return false
        await removeSqliteLog(folder)
        rmSync(folder, { recursive: true, force: true })
        return true
      }
      return { label: `output ${folder}`, remove }
    }),
  )
}

export interface KafkaRemainsOptions {
  readonly config: Config
  readonly connection: () => KafkaConnectionOptions
  readonly topicOf: (generation: number, output: string) => string
}

/** On a broker: consumer groups that tell lag, topics, and the topics' subjects where there is a registry. */
export function kafkaRemains(
  { groups, output, generations }: WantedRemains,
  { config, connection, topicOf }: KafkaRemainsOptions,
): readonly Remains[] {
  const ofGroups = groups.map((name) => {
    const group = `${config.kafka.topicPrefix}.${name}`
    const remove = async (): Promise<boolean> => {
      const { removeGroup } = await import('#src/adapters/kafka/topic.ts')
      return removeGroup({ ...connection(), group })
    }
    return { label: `consumer group ${group}`, remove }
  })
  const topics = output.flatMap((name) => generations.map((generation) => topicOf(generation, name)))
  const ofTopics = topics.map((topic) => {
    const remove = async (): Promise<boolean> => {
      const { hasTopic, removeTopic } = await import('#src/adapters/kafka/topic.ts')
      if (!(await hasTopic({ ...connection(), topic }))) return false
      await removeTopic({ ...connection(), topic })
      return true
    }
    return { label: `topic ${topic}`, remove }
  })
  const ofSubjects = config.registry.url === null ? [] : topics.map((topic) => subjectRemains(config, topic))
  return [...ofGroups, ...ofTopics, ...ofSubjects]
}

function subjectRemains({ registry }: Config, topic: string): Remains {
  const subject = `${topic}-value`
  const remove = async (): Promise<boolean> => {
    const { openSchemaRegistry } = await import('#src/adapters/registry/schema-registry.ts')
    const { url, username, password, timeoutMs } = registry
    const credentials = { ...(username === null ? {} : { username }), ...(password === null ? {} : { password }) }
    return openSchemaRegistry({ url: url!, ...credentials, timeoutMs }).removeSubject(subject)
  }
  return { label: `subject ${subject}`, remove }
}
