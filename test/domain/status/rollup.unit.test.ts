import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { impactOf, worstStatus } from '#src/domain/status/effective-status.ts'
import { pageStatus } from '#src/domain/status/rollup.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

const table = join(import.meta.dirname, '../../../../shared/reference/data/statuspage/rollup-table.json')
const settings = { maintenanceIndicator: 'maintenance', incidentFloor: false } as const

interface RollupTable {
  readonly page_status: readonly { leaf_statuses: ComponentStatus[]; indicator: string; description: string }[]
  readonly group_status: readonly { children: ComponentStatus[]; group_status: string }[]
  readonly incident_impact: readonly { worst_component_status: ComponentStatus; impact: string }[]
}

describe('the status of a page', () => {
  it.skipIf(!existsSync(table))('is what the table says (skipped without ../shared)', () => {
    const { page_status, group_status, incident_impact } = JSON.parse(readFileSync(table, 'utf8')) as RollupTable
    for (const { leaf_statuses, ...expected } of page_status)
      expect({ leaf_statuses, ...pageStatus(leaf_statuses, [], settings) }).toEqual({ leaf_statuses, ...expected })
    for (const { children, group_status: expected } of group_status) expect(worstStatus(children)).toBe(expected)
    for (const { worst_component_status, impact } of incident_impact)
      expect(impactOf([worst_component_status])).toBe(impact)
  })

  it('is critical only while everything is down', () => {
    expect(pageStatus(['major_outage', 'major_outage'], [], settings).indicator).toBe('critical')
    expect(pageStatus(['major_outage', 'operational'], [], settings).indicator).toBe('major')
  })

  it('stays green while an incident is open whose components are well', () => {
    expect(pageStatus(['operational'], ['critical'], settings).indicator).toBe('none')
  })

  it('is raised by open incidents where the page says so, and never lowered', () => {
    const raising = { ...settings, incidentFloor: true }
    expect(pageStatus(['operational'], ['minor', 'major'], raising)).toEqual({
      indicator: 'major',
      description: 'Partial System Outage',
    })
    expect(pageStatus(['partial_outage', 'partial_outage'], ['minor'], raising).indicator).toBe('major')
  })

  it('is that of the open incidents where there is no component', () => {
    expect(pageStatus([], ['critical'], settings).description).toBe('Major System Outage')
  })

  it('calls a maintenance none for consumers that know no other word', () => {
    const without = { ...settings, maintenanceIndicator: 'none' } as const
    expect(pageStatus(['under_maintenance'], [], without)).toEqual({
      indicator: 'none',
      description: 'Service Under Maintenance',
    })
  })
})
