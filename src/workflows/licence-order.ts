// An order of a software licence, from the invoice to the key. It waits for as long as it takes: the provider's hook is asked
// now and then, and the staff can give the key at any time.
import { licenceKeyFrom } from '#equipment/licence-source.ts';
import { eventAppend, type AppendParts } from '#jobs/event-append.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import { licenceFind, licenceFulfil, licenceTakeBack } from '#store/billing/licences.ts';
import type { Store } from '#store/store.ts';
import { done, wait, workflow } from './workflow.ts';

export interface LicenceOrderDeps extends AppendParts {
  readonly store: Store;
  readonly secrets: SecretBox;
}
export interface LicenceOrderInput {
  readonly licence: number;
}

const askAgainMs = 10 * 60_000;

/** Binds a sealed key to its licence. */
export function licenceSealContext(licence: number): string {
  return `licence ${licence}`;
}

export const licenceOrder = workflow<LicenceOrderDeps, LicenceOrderInput>('licence-order', 1).step('key', {
  async do({ deps, account, service, signal }, { licence: id }) {
    const licence = await licenceFind(deps.store.queries, account, id);
    if (licence?.status !== 'Pending') return done();
    const order = { order: String(id), license: licence.name, service: String(service), account: String(account) };
    const key = await licenceKeyFrom(deps, order, signal);
    if (key === undefined) return wait(askAgainMs);
    const sealed = deps.secrets.seal(key, licenceSealContext(id));
    return done(undefined, async (queries) => {
      if (!(await licenceFulfil(queries, id, sealed))) return;
      const data = { orderid: String(id), license: licence.name };
      await eventAppend(deps, queries, { account, service: licence.service_id, type: 'software.fulfilled', data });
    });
  },
  async undo({ deps, account }, { licence }) {
    await licenceTakeBack(deps.store.queries, account, licence);
    return done();
  },
});
