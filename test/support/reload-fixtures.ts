// Puts the lab's server into the state that an operation on a reload, a rescue system or a password needs.
import { passwordSealContext } from '#app/reload/network-boots.ts';
import { prepareForMachines } from './machine-makers.ts';
import { prepareForPricing } from './pricing-makers.ts';
import { request } from './request.ts';
import type { Route } from './routes.ts';
import type { TestApp } from './app.ts';

/** Nothing runs jobs where this is used, so earlier workflows are discarded. */
export async function prepareForRoute(app: TestApp, { operation: { name } }: Route): Promise<void> {
  await prepareForPricing(app, name);
  await prepareForMachines(app, name);
  const { queries } = app.parts.store;
  await queries.deleteFrom('reload_log').execute();
  await queries.deleteFrom('reloads').execute();
  const { service } = app.lab.dedicated;
  const begin = (path: string, params: Record<string, string> = {}): Promise<unknown> =>
    request(app, 'POST', `/v2/device/${path}`, { key: app.lab.customer.key, params: { service, ...params } });
  if (name === 'deviceReloadCancel' || name === 'deviceReloadLog') await begin('reload', { value: 'debian-12' });
  if (name === 'deviceRescueEnd') await begin('rescue');
  if (name !== 'devicePasswordCollect') return;
  await begin('password');
  const { id } = await queries.selectFrom('reloads').select('id').executeTakeFirstOrThrow();
  const sealed = app.parts.secrets.seal('new password', passwordSealContext(id));
  await queries.updateTable('reloads').set({ status: 'Completed', ended_at: 1, new_password: sealed }).execute();
}
