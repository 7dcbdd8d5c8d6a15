import {
  type ComponentRow,
  type PageRow,
  pageSlot,
  statusSchema,
  unconfiguredPage,
} from '#projections/status/schema.ts'
import type { StatusContext } from '#queries/status/reads.ts'

/** The page and its present components, each group followed by its own. */
export interface Board {
  readonly page: PageRow
  readonly components: readonly ComponentRow[]
}

const pageFields = Object.keys(statusSchema.collections.pages.fields) as (keyof PageRow)[]
const componentFields = Object.keys(statusSchema.collections.components.fields) as (keyof ComponentRow)[]
const pageRows = 500
/** So often a read is done again because the page changed under it. After that it is taken as it is: the next one differs. */
const attemptsMax = 5

/** Several rows as they were at one time: every event moves the page, which is read first and last. */
export async function readBoard<T>(context: StatusContext, read: (board: Board) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const page = await findPage(context)
    const value = await read({ page, components: inOrder(await findComponents(context)) })
    const after = await findPage(context)
    if (after.position === page.position || attempt === attemptsMax) return value
  }
}

async function findPage({ rows }: StatusContext): Promise<PageRow> {
  const [page] = await rows.status.get('pages', [[pageSlot]], pageFields)
  return page ?? unconfiguredPage
}

async function findComponents({ rows }: StatusContext): Promise<ComponentRow[]> {
  const found: ComponentRow[] = []
  for (let last = ''; ; ) {
    const page = await rows.status.find({
      collection: 'components',
      index: ['removed', 'id'],
      prefix: [0],
      lower: { value: last, inclusive: false },
      limit: pageRows,
      select: componentFields,
    })
    found.push(...page)
    if (page.length < pageRows) return found
    last = page.at(-1)!.id
  }
}

function inOrder(components: readonly ComponentRow[]): ComponentRow[] {
  const byParent = Map.groupBy(components, ({ groupId }) => groupId)
  const childrenOf = (parent: string | null): ComponentRow[] =>
    (byParent.get(parent) ?? []).sort((a, b) => a.position - b.position)
  return childrenOf(null).flatMap((component) => [component, ...(component.isGroup ? childrenOf(component.id) : [])])
}
