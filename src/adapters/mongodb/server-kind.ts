const replaceRowsMax = 500
/**
 * A compatible server may keep a connection of its own open for each replacement until the last one of the call is done.
 * FerretDB 1.24 has 100 for all its clients together, and stands still for good when they are used up.
 */
const replaceRowsMaxElsewhere = 20

/** Most rows to replace in one call, by what the server answers to `buildInfo`: only MongoDB's own names these. */
export function replaceRowsMaxOf(buildInfo: object): number {
  const isMongoDb = 'storageEngines' in buildInfo || 'openssl' in buildInfo
  return isMongoDb ? replaceRowsMax : replaceRowsMaxElsewhere
}
