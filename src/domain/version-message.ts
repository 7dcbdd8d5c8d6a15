import type { FieldReader } from '#src/domain/field-reader.ts'
import type { SemanticVersion } from '#src/domain/semantic-version.ts'

/** A protobuf SemanticVersion; what comes behind the patch is left out. */
export function readVersion(fields: FieldReader): SemanticVersion {
  const version = { major: 0, minor: 0, patch: 0 }
  while (fields.next()) {
    if (fields.field === 1) version.major = fields.int32()
    else if (fields.field === 2) version.minor = fields.int32()
    else if (fields.field === 3) version.patch = fields.int32()
  }
  return version
}
