// Reloads of the operating system of dedicated servers, as both interfaces ask for them.
import type { Static } from 'typebox';
import type { ImageEntry, InstallStatus } from '#contract/shapes/device.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { reloadLast, type Reload } from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf } from '../servers/servers.ts';
import { installServer } from './install-input.ts';
import { checkInstall } from './install/check.ts';
import type { System } from './install/input.ts';
import { networkBootCancel, networkBootStart, networkBootStatus } from './network-boots.ts';
import { rescueEnd } from './rescues.ts';
import { systems } from '../site/systems.ts';
import type { Context } from '../yard.ts';

/** What this server can be given. */
export async function reloadSystems(context: Context, service: Service): Promise<Static<typeof ImageEntry>[]> {
  return (await fitting(context, service)).map(({ name, value }) => ({ name, value }));
}

export async function reloadStart(
  context: Context,
  service: Service,
  value: string,
  sshKeys: readonly string[],
): Promise<string> {
  serverOf(service);
  const system = (await systems(context.queries)).find((each) => each.value === value && !isRescue(each));
  if (system === undefined) throw await unknown(context, service, ({ value: each }) => each);
  return networkBootStart(context, service, { kind: 'reload', system, sshKeys, password: 'answered' });
}

/** By the id of the legacy interface, whose answer has no room for the password: it is collected. */
export async function installStart(context: Context, service: Service, image: number | undefined): Promise<void> {
  if (image === undefined) throw invalid({ image: 'is required with start' });
  const system = (await systems(context.queries)).find(({ pxe }) => pxe === image);
  if (system === undefined) throw await unknown(context, service, ({ pxe }) => pxe);
  const kind = isRescue(system) ? 'rescue' : 'reload';
  await networkBootStart(context, service, { kind, system, sshKeys: [], password: 'collected' });
}

export async function reloadCancel(context: Context, service: Service): Promise<void> {
  serverOf(service);
  const { queries, caller } = context;
  const last = await reloadLast(queries, caller.account, service.id, ['reload']);
  if (!(await networkBootCancel(context, last)))
    throw new Fault('state_conflict', { message: 'No reload is in progress.' });
}

export async function installStop(context: Context, service: Service): Promise<void> {
  const last = await lastInstall(context, service);
  if (last?.kind === 'rescue' && last.ended_at === null) await rescueEnd(context, service);
  else await reloadCancel(context, service);
}

export async function reloadStatus(context: Context, service: Service): Promise<string> {
  serverOf(service);
  const { queries, caller } = context;
  const last = await reloadLast(queries, caller.account, service.id, ['reload']);
  return last === undefined ? 'No reload in progress' : networkBootStatus(queries, last);
}

export async function installStatus(context: Context, service: Service): Promise<Static<typeof InstallStatus>> {
  const last = await lastInstall(context, service);
  if (last === undefined) return { status: 'No reload in progress', image: '' };
  const status = await networkBootStatus(context.queries, last);
  const { pxe } = JSON.parse(last.system) as System;
  return { status: status === 'Active' ? 'Completed' : status, image: pxe === undefined ? '' : String(pxe) };
}

async function lastInstall({ queries, caller }: Context, service: Service): Promise<Reload | undefined> {
  serverOf(service);
  return reloadLast(queries, caller.account, service.id, ['reload', 'rescue']);
}

async function fitting(context: Context, service: Service): Promise<System[]> {
  const server = await installServer(context.queries, service, serverOf(service));
  const all = await systems(context.queries);
  return all.filter((system) => !isRescue(system) && checkInstall(system, server).length === 0);
}

async function unknown(
  context: Context,
  service: Service,
  name: (system: System) => string | number | undefined,
): Promise<Fault> {
  const names = (await fitting(context, service)).flatMap((system) => name(system) ?? []);
  const valid = names.length === 0 ? 'this server can be given none' : `this server can be given ${names.join(', ')}`;
  return new Fault('not_in_catalogue', { message: `There is no such system; ${valid}.` });
}

function isRescue({ source }: System): boolean {
  return source?.kind === 'rescue';
}
