// Commands on switch ports. They find the port by its key, wherever the switch has it now, and reject the command if it
// cannot be identified.
import { PortMismatchError } from '#drivers/switch/driver.ts';
import type { AdminStatus, PortKey, PortNames, PortReference, PortState, Switch } from '#drivers/switch/driver.ts';
import { portBind, portKeyRelease, portsOfSwitch, type Port } from '#store/network/switches.ts';
import type { Queries, Store } from '#store/store.ts';
import { commandTimeout } from './device-command.ts';
import { bindPort, keyOf, type Binding } from './port-binding.ts';
import type { Switches } from './switches.ts';

export interface PortParts {
  readonly store: Store;
  readonly switches: Switches;
}

/** Returns the name under which a port is locked. Customers change ports without the lock of their server. */
export function portLockName(port: Pick<Port, 'switch' | 'if_index'>): string {
  return `switch ${port.switch} port ${port.if_index}`;
}

/** Returns what a port is recognised by, which is learned now if it has not been seen yet. */
export async function identifyPort(parts: PortParts, port: Port): Promise<PortKey> {
  return keyOf(port) ?? usePort(parts, port, undefined, async (_, { key }) => key);
}

export function readPort(parts: PortParts, port: Port, signal?: AbortSignal): Promise<PortState> {
  return usePort(parts, port, signal, (device, reference, limit) => device.port(reference, limit));
}

export function setPortAdmin(
  parts: PortParts,
  port: Port,
  status: AdminStatus,
  signal: AbortSignal,
): Promise<PortState> {
  return usePort(parts, port, signal, (device, reference, limit) => device.setAdmin(reference, status, limit));
}

async function usePort<T>(
  { store, switches }: PortParts,
  port: Port,
  signal: AbortSignal | undefined,
  work: (device: Switch, reference: PortReference, limit: AbortSignal) => Promise<T>,
): Promise<T> {
  return switches.use(port.switch, async (device, { commandMs }) => {
    const limit = commandTimeout(signal, commandMs);
    const key = keyOf(port);
    if (key !== undefined && port.problem !== 'taken')
      try {
        return await work(device, { ifIndex: port.current_index ?? port.if_index, key }, limit);
      } catch (error) {
        if (!(error instanceof PortMismatchError)) throw error;
      }
    const present = await device.ports(limit);
    const binding = await store.transaction(async (queries) => {
      const stored = await portsOfSwitch(queries, port.switch);
      const current = stored.find(({ id }) => id === port.id) ?? port;
      const found = bindPort(current, present, stored);
      await storeBinding(queries, current, found);
      return found;
    });
    if ('problem' in binding)
      throw new PortMismatchError(`port ${port.if_index} of ${port.switch} is ${binding.problem} on the switch`);
    return work(device, { ifIndex: binding.found.ifIndex, key: binding.key }, limit);
  });
}

export function isBindingStored(port: Port, binding: Binding<PortNames>): boolean {
  if ('problem' in binding) return port.problem === binding.problem;
  const { key, found } = binding;
  return port.key === key.value && port.current_index === found.ifIndex && port.problem === null;
}

/** Writes only what has changed. Returns whether something has. */
export async function storeBinding(queries: Queries, port: Port, binding: Binding<PortNames>): Promise<boolean> {
  if (isBindingStored(port, binding)) return false;
  if ('problem' in binding) {
    await portBind(queries, port.id, binding);
    return true;
  }
  const { by: key_by, value: key } = binding.key;
  if (port.key === null) await portKeyRelease(queries, { switch: port.switch, key_by, key });
  await portBind(queries, port.id, { key_by, key, current_index: binding.found.ifIndex, problem: null });
  return true;
}
