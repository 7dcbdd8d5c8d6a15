/** Structured log: fields first, then a constant message. Shaped like pino, so that pino is one. */
export interface Logger {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
  debug(fields: object, message: string): void
}

export const silentLogger: Logger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }
