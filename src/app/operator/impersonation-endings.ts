// Ends impersonations together with what they rest on, such as the owner's sessions or the operator's access. Apart from
// impersonation.ts, because what ends sessions is imported there.
import type { SupportEnding } from '#contract/shapes/support.ts';
import { appendEvent } from '#events/append.ts';
import { sessionEnd } from '#store/account/keys.ts';
import * as store from '#store/operator/impersonations.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';

/** Ends all by an operator or of an account. */
export async function endImpersonations(
  app: App,
  queries: Queries,
  match: Pick<store.Impersonation, 'operator_id'> | Pick<store.Impersonation, 'account_id'>,
  endedby: SupportEnding,
): Promise<void> {
  const now = app.clock.now();
  for (const row of await store.impersonationsActive(queries, match, now)) {
    if (!(await store.impersonationEnd(queries, row.id, { at: now, by: endedby }))) continue;
    await sessionEnd(queries, row.account_id, row.key_id, now);
    const data = { accessid: String(row.id), operator: row.operator, endedby } as const;
    await appendEvent(app, queries, { account: row.account_id, type: 'support.access.ended', data });
  }
}
