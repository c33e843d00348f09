// A plan for the sweeps: one that the caller can decide on, or its own approved plan where the route executes it.
import { request, requestResult } from './request.ts';
import type { Route } from './routes.ts';

let planned = 0;
export const plannedCall = () => ({ operation: 'zoneCreate', params: { domain: `planned${planned++}.example.org` } });

/** `other` is another key of the same account. */
export async function planFor(
  server: { url: string },
  route: Route | undefined,
  key: string,
  other: string,
): Promise<string> {
  const runs = route?.operation.name === 'planRun';
  const [maker, decider] = runs ? [key, other] : [other, key];
  const options = { key: maker, params: plannedCall() };
  const { id } = await requestResult<{ id: string }>(server, 'POST', '/v2/plan', options);
  if (runs) await request(server, 'PUT', '/v2/plan', { key: decider, params: { id, decision: 'approve' } });
  return id;
}
