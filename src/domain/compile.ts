/**
 * The function that source text returns, over some tools by name. The one place that makes code at run time; why, and what may go
 * into the text, says docs/decisions/0027-code-made-at-run-time.md.
 */
export function compile<F>(source: string, tools: Readonly<Record<string, unknown>> = {}): F {
  return new Function(...Object.keys(tools), source)(...Object.values(tools)) as F
}
