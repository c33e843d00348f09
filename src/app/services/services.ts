// What an account has, by the number of its service, the name of its server or its vmid. Whatever is not the caller's is not there
// at all.
import { Fault } from '#kernel/fault.ts';
import { serviceFind, serviceFindByServer, serviceFindByVmid, type Service } from '#store/devices/services.ts';
import type { Context } from '../yard.ts';
import { refuseHeld } from './holds.ts';

export async function serviceOf(context: Context, id: number): Promise<Service> {
  return own(context, await serviceFind(context.queries, context.caller.account, id));
}

export async function serviceOfServer(context: Context, server: string): Promise<Service> {
  return own(context, await serviceFindByServer(context.queries, context.caller.account, server.toLowerCase()));
}

export async function serviceOfVmid(context: Context, vmid: number): Promise<Service> {
  return own(context, await serviceFindByVmid(context.queries, context.caller.account, vmid));
}

async function own(context: Context, service: Service | undefined): Promise<Service> {
  if (service === undefined) throw new Fault('not_found');
  await refuseHeld(context, service);
  return service;
}

/** A virtual machine; otherwise a dedicated server. */
export function isMachine(service: Service): boolean {
  return service.type !== 'dedicated';
}
