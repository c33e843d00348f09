// The rescue system of dedicated servers, which also resets lost root passwords.
import type { System } from '#contract/site/systems.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { reloadUpdate } from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf } from '../servers/servers.ts';
import {
  cancelNetworkBoot,
  lastNetworkBoot,
  networkBootStatus,
  passwordSealContext,
  startNetworkBoot,
} from './network-boots.ts';
import { cyclePower } from '../servers/power.ts';
import { listSystems } from '../site/systems.ts';
import type { Context } from '../app.ts';

/** Returns the root password of the rescue system. */
export async function startRescue(context: Context, service: Service, sshKeys: readonly string[]): Promise<string> {
  serverOf(service);
  const system = await rescueSystem(context);
  return startNetworkBoot(context, service, { kind: 'rescue', system, sshKeys, password: 'returned' });
}

/** Cancels a rescue system that is still starting, or power-cycles a server that runs it. */
export async function endRescue(context: Context, service: Service): Promise<void> {
  const lastRescue = await lastNetworkBoot(context, service, 'rescue');
  if (await cancelNetworkBoot(context, lastRescue)) return;
  if (lastRescue?.status !== 'Active') throw conflict('The rescue system is not running.');
  await cyclePower(context, service, lastRescue.id);
}

export async function rescueStatus(context: Context, service: Service): Promise<string> {
  const lastRescue = await lastNetworkBoot(context, service, 'rescue');
  return lastRescue === undefined ? 'No rescue system in use' : networkBootStatus(context.queries, lastRescue);
}

export async function resetPassword(context: Context, service: Service): Promise<void> {
  serverOf(service);
  const system = await rescueSystem(context);
  await startNetworkBoot(context, service, { kind: 'password', system, sshKeys: [], password: 'collected' });
}

/** Returns the new password once, after the workflow that set it has ended. Runs in the request's transaction. */
export async function collectPassword(context: Context, service: Service): Promise<string> {
  const { queries, app } = context;
  const lastBoot = await lastNetworkBoot(context, service, 'reload', 'rescue', 'password');
  const sealed = lastBoot?.new_password ?? null;
  if (lastBoot === undefined || sealed === null) throw conflict('No new password is waiting to be collected.');
  if (lastBoot.ended_at === null && lastBoot.status !== 'Active') {
    const status = await networkBootStatus(queries, lastBoot);
    throw conflict(`The password is not set yet: ${status}.`);
  }
  await reloadUpdate(queries, lastBoot.id, { new_password: null });
  return app.secrets.open(sealed, passwordSealContext(lastBoot.id));
}

async function rescueSystem({ queries }: Context): Promise<System> {
  const system = (await listSystems(queries)).find(({ source }) => source?.kind === 'rescue');
  if (system === undefined) throw new ApiError('capability_missing', { message: 'The provider has no rescue system.' });
  return system;
}
