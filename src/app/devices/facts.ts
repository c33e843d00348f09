// Facts about a service: its age, system and location.
import type { Static } from 'typebox';
import type { DeviceFacts } from '#contract/shapes/device-facts.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { machineFind } from '#store/devices/machines.ts';
import { rackOf } from '#store/devices/racks.ts';
import { reloadLast } from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import { templateList } from '#store/devices/templates.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { isMachine, serviceOf } from '../services/services.ts';

export async function deviceFacts(context: Context, id: number): Promise<Static<typeof DeviceFacts>> {
  const { queries, caller } = context;
  const service = await serviceOf(context, id);
  const place = isMachine(service) ? await machinePlace(queries, service) : await serverPlace(queries, service);
  const rescue = await reloadLast(queries, caller.account, service.id, ['rescue']);
  return {
    service: String(service.id),
    created: timeText(service.created_at),
    installed: optionalTimeText(service.installed_at),
    rescue: rescue?.status === 'Active' ? '1' : '0',
    ...place,
  };
}

async function serverPlace(queries: Queries, { server, system }: Service) {
  const rack = server === null ? undefined : await rackOf(queries, 'server', server);
  return { system: system ?? '', location: rack?.place ?? '', rack: rack?.name ?? '' };
}

/** Not the rack, which changes when the machine moves. */
async function machinePlace(queries: Queries, { id }: Service) {
  const machine = await machineFind(queries, id);
  if (machine === undefined) return { system: '', location: '', rack: '' };
  const template = (await templateList(queries, machine.kind)).find(({ value }) => value === machine.template);
  const rack = machine.node === null ? undefined : await rackOf(queries, 'node', machine.node);
  return { system: template?.name ?? machine.template, location: rack?.place ?? '', rack: '' };
}
