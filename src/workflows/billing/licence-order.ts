// Fulfils an order of a software licence. Waits for the key as long as it takes: the provider's hook is called periodically, and
// staff can enter the key at any time.
import { fetchLicenceKey } from './licence-hook.ts';
import { appendEvent, type AppendParts } from '#events/append.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { licenceFind, licenceFulfil, licenceUnfulfil } from '#store/billing/licences.ts';
import type { Store } from '#store/store.ts';
import { done, wait, workflow } from '../engine/workflow.ts';

export interface LicenceOrderDeps extends AppendParts {
  readonly store: Store;
  readonly secrets: SecretBox;
}
export interface LicenceOrderInput {
  readonly licence: number;
}

const hookRetryMs = 10 * 60_000;

/** Binds a sealed key to its licence. */
export function licenceSealContext(licence: number): string {
  return `licence ${licence}`;
}

export const licenceOrder = workflow<LicenceOrderDeps, LicenceOrderInput>('licence-order', 1).step('key', {
  async do({ deps, account, service, signal }, { licence: id }) {
    const licence = await licenceFind(deps.store.queries, account, id);
    if (licence?.status !== 'Pending') return done();
    const order = { order: String(id), license: licence.name, service: String(service), account: String(account) };
    const key = await fetchLicenceKey(deps, order, signal);
    if (key === undefined) return wait(hookRetryMs);
    const sealed = deps.secrets.seal(key, licenceSealContext(id));
    return done(undefined, async (queries) => {
      if (!(await licenceFulfil(queries, id, sealed))) return;
      const data = { orderid: String(id), license: licence.name };
      await appendEvent(deps, queries, { account, service: licence.service_id, type: 'software.fulfilled', data });
    });
  },
  async undo({ deps, account }, { licence }) {
    await licenceUnfulfil(deps.store.queries, account, licence);
    return done();
  },
});
