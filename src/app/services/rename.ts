// The name that a service is listed under.
import { serviceRename, type Service } from '#store/devices/services.ts';
import { tellOf } from '../events/events.ts';
import type { Context } from '../yard.ts';

export function hostnameWanted(hostname: string): string {
  return hostname.replace(/\.$/, '').toLowerCase();
}

export async function renamed(context: Context, service: Service, hostname: string): Promise<void> {
  if (hostname === service.hostname) return;
  await context.yard.store.transaction(async (queries) => {
    await serviceRename(queries, service.account_id, service.id, hostname);
    await tellOf({ ...context, queries }, service, 'device.hostname.changed', { hostname });
  });
}
