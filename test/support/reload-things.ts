// What has to be under way on the lab's server for an operation on a reload, a rescue system or a password to find something.
import { passwordSealContext } from '#app/reload/network-boots.ts';
import { request } from './request.ts';
import type { Route } from './routes.ts';
import type { TestYard } from './yard.ts';

/** Nothing works off jobs where this is used: what was begun before is forgotten, and goes no further. */
export async function beginForRoute(yard: TestYard, { operation: { name } }: Route): Promise<void> {
  const { queries } = yard.parts.store;
  await queries.deleteFrom('reload_log').execute();
  await queries.deleteFrom('reloads').execute();
  const { service } = yard.lab.dedicated;
  const begin = (path: string, params: Record<string, string> = {}): Promise<unknown> =>
    request(yard, 'POST', `/v2/device/${path}`, { key: yard.lab.customer.key, params: { service, ...params } });
  if (name === 'deviceReloadCancel' || name === 'deviceReloadLog') await begin('reload', { value: 'debian-12' });
  if (name === 'deviceRescueEnd') await begin('rescue');
  if (name !== 'devicePasswordCollect') return;
  await begin('password');
  const { id } = await queries.selectFrom('reloads').select('id').executeTakeFirstOrThrow();
  const sealed = yard.parts.secrets.seal('new password', passwordSealContext(id));
  await queries.updateTable('reloads').set({ status: 'Completed', ended_at: 1, new_password: sealed }).execute();
}
