// Switch ports of a service. The current state is always read from the switch; if it does not respond, the state is
// unknown.
import { runDeviceCommand } from '#equipment/device-command.ts';
import { portLockName, readPort as readPortState, setPortAdmin } from '#equipment/ports.ts';
import { portLabel, type AdminStatus, type PortState } from '#drivers/switch/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Service } from '#store/devices/services.ts';
import { portDescribe, portsOfService, type Port } from '#store/network/switches.ts';
import { serviceOf } from '../services/services.ts';
import { emitForService } from '../events/events.ts';
import type { Context } from '../app.ts';

export interface LivePort {
  readonly port: Port;
  readonly state: PortState;
}

export async function livePorts(context: Context, service: Service): Promise<LivePort[]> {
  const ports = await portsOfService(context.queries, service.account_id, service.id);
  return Promise.all(ports.map(async (port) => ({ port, state: await readPort(context, port) })));
}

/** Returns the first port of a service; most have only one. */
export async function livePort(context: Context, service: Service): Promise<LivePort> {
  const port = (await portsOfService(context.queries, service.account_id, service.id))[0];
  if (port === undefined) throw noPortError();
  return { port, state: await readPort(context, port) };
}

/** `id` is one of the service's ports; defaults to the first. */
export async function setPortStatus(
  context: Context,
  service: Service,
  id: number | undefined,
  status: AdminStatus,
): Promise<void> {
  const { app, caller } = context;
  const ports = await portsOfService(context.queries, service.account_id, service.id);
  const port = id === undefined ? ports[0] : ports.find((candidate) => candidate.id === id);
  if (port === undefined) throw id === undefined ? noPortError() : new ApiError('not_found');
  const purpose = status === 'up' ? 'a port activation' : 'a port shutdown';
  const lock = { device: portLockName(port), holder: caller.requestId, purpose };
  const { commandMs: timeoutMs } = await app.switches.waits(port.switch);
  const setStatus = async (signal: AbortSignal): Promise<void> => {
    // Again, because the service may have been suspended or terminated while this command waited for the lock.
    await serviceOf(context, service.id);
    await setPortAdmin(app, port, status, signal);
  };
  await runDeviceCommand(app, lock, setStatus, { timeoutMs });
  await app.store.transaction((queries) =>
    emitForService({ ...context, queries }, service, 'network.port.changed', { port: String(port.id), status }),
  );
}

export { portLabel };

/** A switch may not report the state of the link; anything that is not up counts as down. */
export function linkStatus({ operStatus }: PortState): AdminStatus {
  return operStatus === 'up' ? 'up' : 'down';
}

async function readPort({ app, queries }: Context, port: Port): Promise<PortState> {
  const state = await readPortState(app, port);
  const label = portLabel(state);
  if (label !== port.alias || state.speedBitsPerSecond !== port.speed) {
    await portDescribe(queries, port.id, label, state.speedBitsPerSecond);
  }
  return state;
}

function noPortError(): ApiError {
  return new ApiError('capability_missing', { message: 'This service has no switch port.' });
}
