// The services that exist for a caller, and the limits that a caller grants.
import { requireFound } from '#lib/api-error.ts';
import { serviceList, type Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { isServiceVisible, type ServiceLimits } from './limits.ts';

/** Returns the account's services that exist for the caller. */
export async function visibleServices({ queries, caller }: Context): Promise<Service[]> {
  const services = await serviceList(queries, caller.account, undefined);
  return services.filter(({ id }) => isServiceVisible(caller.services, id));
}

/** Returns the limits that the caller grants, by default the caller's own. */
export async function grantServiceLimits(context: Context, ids: readonly number[]): Promise<ServiceLimits> {
  return (await readServiceLimits(context, ids)) ?? context.caller.services;
}

/** Returns the limits that a list of services stands for: none if it is empty. All of them must exist for the caller. */
export async function readServiceLimits(context: Context, ids: readonly number[]): Promise<ServiceLimits> {
  if (ids.length === 0) return undefined;
  const own = new Set((await visibleServices(context)).map(({ id }) => id));
  return new Set(ids.map((id) => requireFound(own.has(id) ? id : undefined)));
}
