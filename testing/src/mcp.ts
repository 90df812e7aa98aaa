/** A call of a tool of `/mcp` without the SDK. */
import type { TestBrowser } from './test-app.ts'

/** Calls the tool with a key. Returns its answer. @throws Error when it is refused. */
export async function callTool(
  browser: TestBrowser,
  secret: string,
  name: string,
  sent: object,
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare what came, whatever it is
): Promise<any> {
  const reply = await browser.fetch('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: sent },
    }),
  })
  const text = await reply.text()
  const { result } = JSON.parse(text.slice(text.indexOf('{')))
  if (reply.status !== 200 || result?.isError !== undefined) throw new Error(text)
  return JSON.parse(result.content[0].text)
}

/** A proposal that every account can get. */
export const PROPOSAL = {
  reason: 'canary',
  timeZone: 'UTC',
  changes: [{ newTask: 'Proposed', start: '2026-01-02T08:00:00Z', end: '2026-01-02T09:00:00Z' }],
}
