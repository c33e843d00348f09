// The states in which a customer's services can be, entered directly in the database. Nothing leads back from the last
// two.
import type { AccountId } from '#store/account-id.ts';
import { machineDeletionInsert } from '#store/devices/machine-deletions.ts';
import { reclaimInsert } from '#store/devices/reclaims.ts';
import type { ServiceStatus } from '#store/devices/tables.ts';
import type { TestApp } from './app.ts';

export const lifecycleStates = [
  'active',
  'pending',
  'suspended',
  'deleted',
  'locked',
  'maintenance',
  'account suspended',
  'terminated',
  'reclaiming',
] as const;
export type LifecycleState = (typeof lifecycleStates)[number];

const statuses: Partial<Record<LifecycleState, ServiceStatus>> = {
  pending: 'Pending',
  suspended: 'Suspended',
  deleted: 'Suspended',
};

/** Puts all services of the customer into this state, from any earlier one of the list. */
export async function enterState(app: TestApp, state: LifecycleState): Promise<void> {
  const { queries } = app.parts.store;
  const account = Number(app.lab.customer.account) as AccountId;
  const services = queries.updateTable('services').where('account_id', '=', account);
  await queries.deleteFrom('device_holds').execute();
  await queries.deleteFrom('machine_deletions').execute();
  const accountStatus = state === 'account suspended' ? 'Suspended' : 'Active';
  await queries.updateTable('accounts').set({ status: accountStatus }).where('id', '=', account).execute();
  const rows = await queries.selectFrom('services').selectAll().where('account_id', '=', account).execute();
  switch (state) {
    case 'deleted': {
      // As the customer deletes machines, which can be restored for three days.
      const now = app.parts.clock.now();
      const times = { deleted_at: now, expires_at: now + 259_200_000, until_day: null, otherwise_day: null };
      for (const { id } of rows.filter(({ vmid }) => vmid !== null))
        await machineDeletionInsert(queries, { service_id: id, account_id: account, ...times });
      break;
    }
    case 'locked':
    case 'maintenance': {
      const hold = { kind: state, reason: 'a sweep', operator: 'sweep', since: 0 };
      const devices = new Set(rows.map((row) => row.server ?? `vm-${row.vmid}`));
      await queries
        .insertInto('device_holds')
        .values([...devices].map((device) => ({ device, ...hold })))
        .execute();
      break;
    }
    case 'terminated': {
      const ids = rows.map(({ id }) => id);
      const released = { account_id: null, service_id: null };
      await queries.updateTable('netblocks').set(released).where('service_id', 'in', ids).execute();
      await services.set({ status: 'Terminated', server: null }).execute();
      return;
    }
    case 'reclaiming': {
      const { server, service } = app.lab.dedicated;
      const reclaim = { id: 'sweep', server, account_id: account, service_id: Number(service) };
      await reclaimInsert(queries, { ...reclaim, workflow_id: 'sweep', started_at: 0 });
      return;
    }
  }
  await services.set({ status: statuses[state] ?? 'Active' }).execute();
}
