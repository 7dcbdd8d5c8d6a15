import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'

const wordMark = `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="40" viewBox="0 0 180 40" role="img" aria-label="ledger-history">
<g fill="none" stroke="#7fd1ae" stroke-width="3"><path d="M4 11h14M4 20h20M4 29h9"/></g>
<text x="33" y="26" fill="#fff" font-family="system-ui,sans-serif" font-size="19" font-weight="600" textLength="140" lengthAdjust="spacingAndGlyphs">ledger-history</text></svg>`

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1b1b1b"/>
<path d="M7 9h13M7 16h18M7 23h9" stroke="#7fd1ae" stroke-width="3.5" fill="none"/></svg>`

/** The forms that would choose another service are left out, and on narrow screens tables become blocks below each other. */
const css = `.swagger-ui .topbar .download-url-wrapper{display:none}
.swagger-ui .scheme-container{display:none}
.swagger-ui .topbar-wrapper{flex-wrap:nowrap;justify-content:space-between}
.swagger-ui .opblock-summary-path{word-break:break-word}
.swagger-ui .markdown code,.swagger-ui .renderedMarkdown code{word-break:break-word}
@media (max-width:640px){
.swagger-ui .wrapper{padding:0 8px}
.swagger-ui .info{margin:20px 0}
.swagger-ui .info .title{font-size:26px}
.swagger-ui .opblock-tag{flex-wrap:wrap;font-size:20px}
.swagger-ui .opblock-tag small{flex-basis:100%;padding:0;order:3}
.swagger-ui .opblock .opblock-summary{padding:4px;align-items:flex-start}
.swagger-ui .opblock .opblock-summary-control{min-width:0;flex-wrap:wrap}
.swagger-ui .opblock .opblock-summary-method{min-width:58px;padding:6px 0}
.swagger-ui .opblock .opblock-summary-path-description-wrapper{min-width:0;flex:1 1 60%;padding:0 6px}
.swagger-ui .opblock .opblock-summary-path{max-width:100%;padding:0;font-size:13px}
.swagger-ui .opblock .opblock-section-header{flex-wrap:wrap;gap:6px;padding:8px}
.swagger-ui .parameters-container,.swagger-ui .responses-inner,.swagger-ui .opblock-description-wrapper{padding:8px}
.swagger-ui .table-container{padding:8px;overflow:visible}
.swagger-ui .opblock-body table,.swagger-ui .opblock-body tbody,.swagger-ui .opblock-body tr,.swagger-ui .opblock-body td{display:block;width:auto;max-width:100%;min-width:0}
.swagger-ui .opblock-body table thead{display:none}
.swagger-ui .opblock-body td{padding:2px 0}
.swagger-ui .parameters-col_description,.swagger-ui .response-col_description{width:auto}
.swagger-ui .parameters-col_description input,.swagger-ui .parameters-col_description select,.swagger-ui .parameters-col_description textarea{width:100%;max-width:100%;min-width:0}
.swagger-ui .opblock-body table.headers tr{padding:4px 0}
.swagger-ui .opblock-body pre,.swagger-ui .highlight-code,.swagger-ui .curl-command,.swagger-ui .model-example,.swagger-ui .response-col_description__inner{max-width:100%;min-width:0;overflow-x:auto}
.swagger-ui .opblock-body pre,.swagger-ui .opblock-body pre code{white-space:pre-wrap!important;word-break:break-word}
.swagger-ui .response-col_description__inner .response-controls{flex-wrap:wrap}
.swagger-ui .btn-group{padding:8px}
.swagger-ui section.models .model-container{overflow-x:auto}
}`

/** The page's own head has none, so that a phone would lay it out for a desk. */
const viewport = `const meta=document.createElement('meta');meta.name='viewport';meta.content='width=device-width, initial-scale=1';document.head.append(meta)`

interface Parameter {
  readonly in?: string
  readonly example?: unknown
  readonly schema?: { readonly example?: unknown }
}
interface Documented {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>
}

/** The interactive page: under our name, and of a width that fits. */
export function pageOptions(title: string, routePrefix: string): FastifySwaggerUiOptions {
  return {
    routePrefix,
    logo: { type: 'image/svg+xml', content: wordMark, href: `${routePrefix}/`, target: '_self' },
    theme: {
      title,
      favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
      css: [{ filename: 'narrow.css', content: css }],
      js: [{ filename: 'viewport.js', content: viewport }],
    },
    uiConfig: {
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: false,
      displayRequestDuration: true,
    },
    transformSpecification: (document) => withoutFilters(document as Documented),
    transformSpecificationClone: false,
  }
}

/**
 * The page would fill in every example at once, and ask for what is of one account, one token and one time: nothing. What is
 * in a path has to be something, and keeps its own.
 */
function withoutFilters(document: Documented): Documented {
  const { paths = {} } = document
  const shown = mapValues(paths, (operations) =>
    mapValues(operations, (operation) => {
      const { parameters } = operation
      return parameters ? { ...operation, parameters: parameters.map(withoutExample) } : operation
    }),
  )
  return { ...document, paths: shown }
}

function withoutExample(parameter: Parameter): Parameter {
  if (parameter.in === 'path') return parameter
  const { example: _own, schema: { example: _of, ...schema } = {}, ...others } = parameter
  return { ...others, schema }
}

function mapValues<V>(record: Readonly<Record<string, V>>, change: (value: V) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
