// The rescue system of dedicated servers, and what it does for a forgotten root password.
import { Fault } from '#kernel/fault.ts';
import { reloadLast, reloadMove, reloadNote, type Reload } from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf } from '../servers/servers.ts';
import { tellOf } from '../events/events.ts';
import type { System } from './install/input.ts';
import { networkBootCancel, networkBootStart, networkBootStatus, passwordSealContext } from './network-boots.ts';
import { powerCycled } from '../servers/power.ts';
import { systems } from '../site/systems.ts';
import type { Context } from '../yard.ts';

/** Answers the password of root in the rescue system, which knows no other. */
export async function rescueStart(context: Context, service: Service, sshKeys: readonly string[]): Promise<string> {
  serverOf(service);
  const system = await rescueSystem(context);
  return networkBootStart(context, service, { kind: 'rescue', system, sshKeys, password: 'answered' });
}

/** Back to the disk: by calling off what is still beginning, or by a power cycle once it runs. */
export async function rescueEnd(context: Context, service: Service): Promise<void> {
  serverOf(service);
  const last = await lastOf(context, service, 'rescue');
  if (await networkBootCancel(context, last)) return;
  if (last?.status !== 'Active') throw new Fault('state_conflict', { message: 'The rescue system is not on.' });
  await powerCycled(context, service);
  const { yard } = context;
  await yard.store.transaction(async (queries) => {
    if (!(await reloadMove(queries, last.id, 'Completed', { ended_at: yard.clock.now() }))) return;
    await tellOf({ ...context, queries }, service, 'device.rescue.ended', {});
  });
}

export async function rescueStatus(context: Context, service: Service): Promise<string> {
  serverOf(service);
  const last = await lastOf(context, service, 'rescue');
  return last === undefined ? 'No rescue system in use' : networkBootStatus(context.queries, last);
}

export async function passwordReset(context: Context, service: Service): Promise<void> {
  serverOf(service);
  const system = await rescueSystem(context);
  await networkBootStart(context, service, { kind: 'password', system, sshKeys: [], password: 'collected' });
}

/** Shown once, after what set it has been done. In the call's own transaction. */
export async function passwordCollect(context: Context, service: Service): Promise<string> {
  const { queries, caller, yard } = context;
  serverOf(service);
  const last = await reloadLast(queries, caller.account, service.id, ['reload', 'rescue', 'password']);
  const sealed = last?.new_password ?? null;
  if (last === undefined || sealed === null)
    throw new Fault('state_conflict', { message: 'There is no new password to collect.' });
  if (last.ended_at === null && last.status !== 'Active') {
    const status = await networkBootStatus(queries, last);
    throw new Fault('state_conflict', { message: `The password is not set yet: ${status}.` });
  }
  await reloadNote(queries, last.id, { new_password: null });
  return yard.secrets.open(sealed, passwordSealContext(last.id));
}

async function rescueSystem({ queries }: Context): Promise<System> {
  const found = (await systems(queries)).find(({ source }) => source?.kind === 'rescue');
  if (found === undefined) throw new Fault('capability_missing', { message: 'This provider has no rescue system.' });
  return found;
}

function lastOf({ queries, caller }: Context, service: Service, kind: Reload['kind']): Promise<Reload | undefined> {
  return reloadLast(queries, caller.account, service.id, [kind]);
}
