/** One figure of one side. */
export interface SideFigure {
  readonly side: string
  /** The store's server stands in for a real one. */
  readonly isStandIn: boolean
  readonly stage: string
  /** Of our process, start included; undefined for requests. */
  readonly cpuUsEach: number | undefined
  readonly perSecond: number
  /** Rate and CPU over those of the embedded engines in this run with as many events; undefined for themselves. */
  readonly ofEmbedded: { readonly rate: number; readonly cpu: number | undefined } | undefined
  readonly peakMiB: number
  /** Of the machine's last minute, since others may have been at work. */
  readonly load: number
}

/** Without `ofEmbedded`. */
export type Measured = Omit<SideFigure, 'ofEmbedded'>

/** The same beside the reference's figure of the same stage, where there is one. */
export function comparedWith(reference: readonly SideFigure[], measured: Measured): SideFigure {
  const base = reference.find(({ stage }) => stage === measured.stage)
  if (base === undefined) return { ...measured, ofEmbedded: undefined }
  const cpu =
    measured.cpuUsEach === undefined || base.cpuUsEach === undefined ? undefined : measured.cpuUsEach / base.cpuUsEach
  return { ...measured, ofEmbedded: { rate: measured.perSecond / base.perSecond, cpu } }
}

export function formatComparison({ ofEmbedded, load }: SideFigure): string {
  const ratio = ofEmbedded === undefined ? '' : `  of embedded: rate ${shown(ofEmbedded.rate)}`
  const cpu = ofEmbedded?.cpu === undefined ? '' : `, CPU ${shown(ofEmbedded.cpu)}`
  return `${ratio}${cpu}  load ${load.toFixed(0)}`
}

/** A row per stage and a column per side, as Markdown: rate, and the ratio to the embedded one's. */
export function formatTable(figures: readonly SideFigure[]): string[] {
  const sides = [...new Set(figures.map(({ side }) => side))]
  const stages = [...new Set(figures.map(({ stage }) => stage))]
  const nameOf = (side: string): string =>
    figures.some((each) => each.side === side && each.isStandIn) ? `${side} (stand-in)` : side
  const cell = (stage: string, side: string): string => {
    const figure = figures.find((each) => each.stage === stage && each.side === side)
    if (figure === undefined) return ''
    const { perSecond, ofEmbedded } = figure
    const rate = Math.round(perSecond).toLocaleString('en')
    return ofEmbedded === undefined ? rate : `${rate} (${shown(ofEmbedded.rate)})`
  }
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    row(['Per second (of embedded)', ...sides.map(nameOf)]),
    `|${'---|'.repeat(sides.length + 1)}`,
    ...stages.map((stage) => row([stage, ...sides.map((side) => cell(stage, side))])),
  ]
}

function shown(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2)
}
