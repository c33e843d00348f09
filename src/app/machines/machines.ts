// Virtual machines: the one behind a service or a vmid, one command on it at a time, and what is changed inside it.
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import { need } from '#drivers/hypervisor/driver.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { randomPassword } from '#kernel/random.ts';
import { machineFind, machineName, type Machine } from '#store/devices/machines.ts';
import { serviceList, type Service } from '#store/devices/services.ts';
import { commandLimit } from '../services/command-limit.ts';
import { hostnameWanted, renamed } from '../services/rename.ts';
import { isMachine, serviceOfVmid } from '../services/services.ts';
import type { Context } from '../yard.ts';

export const rootPasswordLength = 16;

/** One that is there, on its node. */
export interface PlacedMachine extends Machine {
  readonly node: string;
}

export async function machineOf(context: Context, service: Service): Promise<PlacedMachine> {
  const machine = await machineFind(context.queries, service.id);
  if (machine?.state !== 'ready' || machine.node === null) {
    throw new Fault('state_conflict', { message: 'The machine is not there yet: its service is Pending.' });
  }
  return { ...machine, node: machine.node };
}

export interface MachineCommand {
  readonly node: Hypervisor;
  /** What the node calls the machine. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** One command on a machine, in its turn. `purpose` is what others are told meanwhile. */
export function withMachine<T>(
  context: Context,
  machine: PlacedMachine,
  purpose: string,
  work: (command: MachineCommand) => Promise<T>,
): Promise<T> {
  const { yard, caller } = context;
  const name = machineName(machine.vmid);
  // It runs while the turn is waited for, so that the answer comes in time however long that takes.
  const signal = commandLimit();
  return withDeviceLock(yard, { device: name, holder: caller.requestId, purpose }, () =>
    yard.nodes.use(machine.node, (node) => work({ node, name, signal })),
  );
}

export async function machineRename(context: Context, service: Service, hostname: string): Promise<void> {
  const machine = await machineOf(context, service);
  const wanted = hostnameWanted(hostname);
  await withMachine(context, machine, 'change of the host name', ({ node, name, signal }) =>
    node.guest.setHostname(name, wanted, signal),
  );
  await renamed(context, service, wanted);
}

/** Answers the new one, which nobody else knows. */
export async function machinePasswordReset(context: Context, service: Service): Promise<string> {
  const machine = await machineOf(context, service);
  const password = randomPassword(rootPasswordLength);
  await withMachine(context, machine, 'change of the root password', ({ node, name, signal }) =>
    node.guest.setPassword(name, password, signal),
  );
  return password;
}

export async function machineTunSet(
  context: Context,
  vmid: number | undefined,
  state: 'enabled' | 'disabled',
): Promise<void> {
  const service = vmid === undefined ? await onlyMachine(context) : await serviceOfVmid(context, vmid);
  await withMachine(context, await machineOf(context, service), 'change of tunnel devices', (command) =>
    need(command.node, 'tun').set(command.name, state, command.signal),
  );
}

async function onlyMachine({ queries, caller }: Context): Promise<Service> {
  const machines = (await serviceList(queries, caller.account, undefined)).filter(isMachine);
  const [only, ...more] = machines;
  if (only === undefined || more.length > 0) {
    throw invalid({ vmid: 'must be given, unless the account has exactly one machine' });
  }
  return only;
}
