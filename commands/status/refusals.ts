/**
 * Why a command is refused: names that clients switch on, and the status of the answer. 404: what it names is not there.
 * 409: the state does not allow it. 422: what it says makes no sense.
 */
export const refusals = {
  command_invalid: 400,
  not_permitted: 403,
  component_not_found: 404,
  incident_not_found: 404,
  maintenance_not_found: 404,
  update_not_found: 404,
  page_not_configured: 409,
  id_taken: 409,
  revision_conflict: 409,
  command_id_reused: 409,
  group_not_empty: 409,
  component_in_use: 409,
  too_many: 409,
  incident_not_resolved: 409,
  incident_already_resolved: 409,
  postmortem_already_published: 409,
  maintenance_not_started: 409,
  maintenance_not_due: 409,
  maintenance_already_started: 409,
  maintenance_already_verifying: 409,
  maintenance_already_completed: 409,
  command_id_reserved: 422,
  name_required: 422,
  body_required: 422,
  unknown_component_status: 422,
  unknown_impact: 422,
  unknown_time_zone: 422,
  time_malformed: 422,
  day_malformed: 422,
  group_status_is_derived: 422,
  group_inside_group: 422,
  group_not_found: 422,
  status_not_for_incidents: 422,
  status_needs_its_own_command: 422,
  window_ends_before_start: 422,
  window_in_the_past: 422,
  display_time_in_the_future: 422,
  display_time_before_opening: 422,
  past_incident_incomplete: 422,
  not_showable: 422,
} as const

export type RefusalCode = keyof typeof refusals

/** A command that is not carried out; nothing was appended. */
export class CommandRefused extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.name = 'CommandRefused'
    this.code = code
  }
}

export function refuse(code: RefusalCode, message: string): never {
  throw new CommandRefused(code, message)
}

export function isRefused(error: unknown, code?: RefusalCode): error is CommandRefused {
  return error instanceof CommandRefused && (code === undefined || error.code === code)
}
