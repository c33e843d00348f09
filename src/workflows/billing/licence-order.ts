// Fulfils an order of a software licence: the provider's hook is called periodically, and staff can enter the key at any time.
// An order that is not delivered in time, or whose service is terminated, is withdrawn.
import { fetchLicenceKey } from './licence-hook.ts';
import { appendEvent, type AppendParts } from '#events/append.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { licenceFind, licenceFulfil, licenceUnfulfil } from '#store/billing/licences.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Queries, Store } from '#store/store.ts';
import { done, wait, workflow } from '../engine/workflow.ts';

/** Supplied by the app, which knows invoices. */
export interface LicenceActions {
  /** Ends a licence that was never delivered, and credits what was invoiced for it. */
  withdraw(queries: Queries, account: AccountId, licence: number, reason: string): Promise<unknown>;
}
export interface LicenceOrderDeps extends AppendParts {
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly licences: LicenceActions;
}
export interface LicenceOrderInput {
  readonly licence: number;
}

const hookRetryMs = 10 * 60_000;
const deliveryLimitMs = 30 * 86_400_000;

/** Binds a sealed key to its licence. */
export function licenceSealContext(licence: number): string {
  return `licence ${licence}`;
}

export const licenceOrder = workflow<LicenceOrderDeps, LicenceOrderInput>('licence-order', 1)
  .step('key', {
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
    limit: { ms: deliveryLimitMs, code: 'nothing_free', reason: 'The licence was not delivered within 30 days.' },
  })
  .onEnd(async (queries, { account, input, outcome, reason }, { licences }) => {
    if (outcome !== 'Completed') await licences.withdraw(queries, account, input.licence, reason);
  });
