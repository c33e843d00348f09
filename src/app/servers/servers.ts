// Dedicated servers: the one behind a service, one command on its controller at a time, and what it is made of.
import type { Static } from 'typebox';
import type { Hardware } from '#contract/shapes/device.ts';
import { need, type Bmc } from '#drivers/bmc/driver.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import { Fault } from '#kernel/fault.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import { linkStatus, livePorts } from '../network/ports.ts';
import { commandLimit } from '../services/command-limit.ts';
import type { Context } from '../yard.ts';

/** The physical server of a service. Virtual machines have none. */
export function serverOf(service: Service): string {
  if (service.server === null) {
    throw new Fault('capability_missing', {
      message: 'Only dedicated servers have this: the service is a virtual machine.',
    });
  }
  return service.server;
}

/** One command on the controller of a server, in its turn. `purpose` is what others are told meanwhile. */
export function withBmc<T>(
  context: Context,
  server: string,
  purpose: string,
  work: (bmc: Bmc, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { yard, caller } = context;
  // It runs while the turn is waited for, so that the answer comes in time however long that takes.
  const limit = commandLimit();
  return withDeviceLock(yard, { device: server, holder: caller.requestId, purpose }, () =>
    yard.bmcs.use(server, (bmc) => work(bmc, limit)),
  );
}

/** What the provider wrote down of a server, and for the rest what its controller says of itself. */
export async function serverHardware(context: Context, service: Service): Promise<Static<typeof Hardware>> {
  const server = serverOf(service);
  const described = JSON.parse((await serverFind(context.queries, server))?.parts ?? '{}') as Record<string, string[]>;
  const own = await inventoryOf(context, server);
  const parts: Record<string, string[]> = Object.fromEntries(hardwareCategories.map((category) => [category, []]));
  for (const [category, texts] of Object.entries(own)) if (texts.length > 0) parts[category] = [...texts];
  for (const [category, texts] of Object.entries(described)) if (texts.length > 0) parts[category] = texts;
  return { parts, ports: await portStates(context, service) };
}

/** A controller that keeps no inventory leaves it to the provider's description. */
async function inventoryOf(context: Context, server: string): Promise<Readonly<Record<string, readonly string[]>>> {
  try {
    return await context.yard.bmcs.use(server, (bmc) => need(bmc, 'inventory').read(commandLimit()));
  } catch (error) {
    if (error instanceof Fault && error.code === 'capability_missing') return {};
    throw error;
  }
}

async function portStates(context: Context, service: Service): Promise<Static<typeof Hardware>['ports']> {
  const ports: Record<string, Static<typeof Hardware>['ports'][string]> = {};
  for (const { port, state } of await livePorts(context, service)) {
    (ports[port.switch] ??= {})[state.name] = {
      ifAdminStatus: state.adminStatus,
      ifOperStatus: linkStatus(state),
      ifSpeed: String(state.speedBitsPerSecond),
    };
  }
  return ports;
}
const hardwareCategories = ['CPU', 'Motherboard', 'RAM', 'Hard Drive', 'Network Card'];
