// Switch ports of a service. What a port is now, the switch itself is asked; where it does not answer, nobody knows.
import { withDeviceLock } from '#equipment/locks.ts';
import type { AdminStatus, PortState } from '#drivers/switch/driver.ts';
import { Fault } from '#kernel/fault.ts';
import type { Service } from '#store/devices/services.ts';
import { portDescribe, portsOfService, type Port } from '#store/network/switches.ts';
import { refuseHeldDevice } from '../services/holds.ts';
import { tellOf } from '../events/events.ts';
import type { Context } from '../yard.ts';

const commandMs = 9000;

export interface LivePort {
  readonly port: Port;
  readonly state: PortState;
}

export async function livePorts(context: Context, service: Service): Promise<LivePort[]> {
  const ports = await portsOfService(context.queries, service.account_id, service.id);
  return Promise.all(ports.map(async (port) => ({ port, state: await readPort(context, port) })));
}

/** The first port of a service, which is all that most have. */
export async function livePort(context: Context, service: Service): Promise<LivePort> {
  const port = (await portsOfService(context.queries, service.account_id, service.id))[0];
  if (port === undefined) throw noPort();
  return { port, state: await readPort(context, port) };
}

/** `id` names one of the service's ports; left out, it is the first. */
export async function portSwitch(
  context: Context,
  service: Service,
  id: number | undefined,
  status: AdminStatus,
): Promise<void> {
  const { yard, caller } = context;
  await refuseHeldDevice(context, service);
  const ports = await portsOfService(context.queries, service.account_id, service.id);
  const port = id === undefined ? ports[0] : ports.find((each) => each.id === id);
  if (port === undefined) throw id === undefined ? noPort() : new Fault('not_found');
  const purpose = status === 'up' ? 'enabling a port' : 'disabling a port';
  const lock = { device: `switch ${port.switch} port ${port.if_index}`, holder: caller.requestId, purpose };
  // It runs while the turn is waited for, so that the answer comes in time however long that takes.
  const limit = AbortSignal.timeout(commandMs);
  await withDeviceLock(yard, lock, () =>
    yard.switches.use(port.switch, (device) => device.setAdmin(port.if_index, status, limit)),
  );
  await yard.store.transaction((queries) =>
    tellOf({ ...context, queries }, service, 'network.port.changed', { port: String(port.id), status }),
  );
}

/** A switch may leave the link's state open; what is not up is then down for the caller. */
export function linkStatus({ operStatus }: PortState): AdminStatus {
  return operStatus === 'up' ? 'up' : 'down';
}

async function readPort({ yard, queries }: Context, port: Port): Promise<PortState> {
  const state = await yard.switches.use(port.switch, (device) =>
    device.port(port.if_index, AbortSignal.timeout(commandMs)),
  );
  if (state.alias !== port.alias || state.speedBitsPerSecond !== port.speed) {
    await portDescribe(queries, port.id, state.alias, state.speedBitsPerSecond);
  }
  return state;
}

function noPort(): Fault {
  return new Fault('capability_missing', { message: 'This service has no switch port.' });
}
