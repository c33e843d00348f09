// Operating-system reloads of dedicated servers, for both APIs.
import type { Static } from 'typebox';
import type { ImageEntry, InstallStatus } from '#contract/shapes/device.ts';
import type { System } from '#contract/site/systems.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { reloadSystem } from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf } from '../servers/servers.ts';
import { installServer } from './install-input.ts';
import { checkInstall } from './install/check.ts';
import { cancelNetworkBoot, lastNetworkBoot, networkBootStatus, startNetworkBoot } from './network-boots.ts';
import { endRescue } from './rescues.ts';
import { listSystems } from '../site/systems.ts';
import type { Context } from '../app.ts';

/** Lists the systems that fit this server, without rescue systems. */
export async function reloadSystems(context: Context, service: Service): Promise<Static<typeof ImageEntry>[]> {
  return (await fittingReloads(context, service)).map(({ name, value }) => ({ name, value }));
}

export async function startReload(
  context: Context,
  service: Service,
  value: string,
  sshKeys: readonly string[],
): Promise<string> {
  const systems = await listSystems(context.queries);
  const system = systems.find((candidate) => candidate.value === value && !isRescue(candidate));
  if (system === undefined)
    throw unknownSystem((await fittingReloads(context, service)).map((candidate) => candidate.value));
  return startNetworkBoot(context, service, { kind: 'reload', system, sshKeys, password: 'returned' });
}

/** Starts a reload by the legacy API's id. Its response has no field for the password, which is collected later. */
export async function installStart(context: Context, service: Service, image: number | undefined): Promise<void> {
  if (image === undefined) throw invalid({ image: 'is required with start' });
  const system = (await listSystems(context.queries)).find(({ pxe }) => pxe === image);
  if (system === undefined)
    throw unknownSystem((await fittingSystems(context, service)).flatMap(({ pxe }) => pxe ?? []));
  const kind = isRescue(system) ? 'rescue' : 'reload';
  await startNetworkBoot(context, service, { kind, system, sshKeys: [], password: 'collected' });
}

export async function cancelReload(context: Context, service: Service): Promise<void> {
  const lastReload = await lastNetworkBoot(context, service, 'reload');
  if (!(await cancelNetworkBoot(context, lastReload))) throw conflict('No reload is in progress.');
}

export async function installStop(context: Context, service: Service): Promise<void> {
  const lastBoot = await lastNetworkBoot(context, service, 'reload', 'rescue');
  if (lastBoot?.kind === 'rescue' && lastBoot.ended_at === null) await endRescue(context, service);
  else await cancelReload(context, service);
}

export async function reloadStatus(context: Context, service: Service): Promise<string> {
  const lastReload = await lastNetworkBoot(context, service, 'reload');
  return lastReload === undefined ? 'No reload in progress' : networkBootStatus(context.queries, lastReload);
}

export async function installStatus(context: Context, service: Service): Promise<Static<typeof InstallStatus>> {
  const lastBoot = await lastNetworkBoot(context, service, 'reload', 'rescue');
  if (lastBoot === undefined) return { status: 'No reload in progress', image: '' };
  const status = await networkBootStatus(context.queries, lastBoot);
  const { pxe } = reloadSystem.decode(lastBoot.system);
  return { status: status === 'Active' ? 'Completed' : status, image: pxe === undefined ? '' : String(pxe) };
}

async function fittingReloads(context: Context, service: Service): Promise<System[]> {
  return (await fittingSystems(context, service)).filter((system) => !isRescue(system));
}

async function fittingSystems(context: Context, service: Service): Promise<System[]> {
  const server = await installServer(context.queries, service, serverOf(service));
  return (await listSystems(context.queries)).filter((system) => checkInstall(system, server).length === 0);
}

function unknownSystem(available: readonly (string | number)[]): ApiError {
  const message =
    available.length === 0
      ? 'No systems are available for this server.'
      : `Unknown system. Available: ${available.join(', ')}.`;
  return new ApiError('not_in_catalogue', { message });
}

function isRescue({ source }: System): boolean {
  return source?.kind === 'rescue';
}
