// Virtual machines: commands on them, one at a time, and settings inside the guest.
import { requireCapability, type Hypervisor, type TunStatus } from '#drivers/hypervisor/driver.ts';
import { commandTimeout, runDeviceCommand } from '#equipment/device-command.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { randomPassword } from '#lib/random.ts';
import { machineFind, machineName, type Machine } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { visibleServices } from '../services/visible-services.ts';
import {
  allowedHostname,
  isMachine,
  renameService,
  requireMachine,
  serviceOf,
  serviceOfVmid,
} from '../services/services.ts';
import type { Context } from '../app.ts';

export const rootPasswordLength = 16;

/** A machine that has been created. */
export interface PlacedMachine extends Machine {
  readonly node: string;
}

export async function machineOf(context: Context, service: Service): Promise<PlacedMachine> {
  if (service.status === 'Terminated') throw new ApiError('service_terminated');
  const machine = await machineFind(context.queries, service.id);
  if (machine?.state !== 'ready' || machine.node === null)
    throw conflict('The machine has not been created yet: its service is Pending.');
  return { ...machine, node: machine.node };
}

export interface MachineCommand {
  readonly hypervisor: Hypervisor;
  /** The machine's name on the hypervisor. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Runs a command on a machine under its lock. Others see `purpose` while they wait. */
export function runMachineCommand<T>(
  context: Context,
  { vmid, service_id }: PlacedMachine,
  purpose: string,
  command: (command: MachineCommand) => Promise<T>,
): Promise<T> {
  const { app, caller } = context;
  const name = machineName(vmid);
  return runDeviceCommand(app, { device: name, holder: caller.requestId, purpose }, async (signal) => {
    // Again, because the service may have been suspended or terminated, or the machine moved, while this waited for the lock.
    const { node } = await machineOf(context, await serviceOf(context, service_id));
    return app.hypervisors.use(node, (hypervisor) => command({ hypervisor, name, signal }));
  });
}

export async function renameMachine(context: Context, service: Service, hostname: string): Promise<void> {
  const machine = await machineOf(context, service);
  const newName = await allowedHostname(context, hostname);
  await runMachineCommand(context, machine, 'a hostname change', async ({ hypervisor, name, signal }) => {
    await hypervisor.guest.setHostname(name, newName, signal);
    // Before the next command, so that the last one decides both names.
    await renameService(context, service, newName);
  });
}

/** Returns the new root password, which is not stored. */
export async function resetMachinePassword(context: Context, service: Service): Promise<string> {
  const machine = await machineOf(context, service);
  const password = randomPassword(rootPasswordLength);
  await runMachineCommand(context, machine, 'a password reset', ({ hypervisor, name, signal }) =>
    hypervisor.guest.setPassword(name, password, signal),
  );
  return password;
}

export async function machineTun(context: Context, service: Service): Promise<TunStatus> {
  const { node, vmid } = await machineOf(context, requireMachine(service));
  const timeout = commandTimeout();
  return context.app.hypervisors.use(node, (hypervisor) =>
    requireCapability(hypervisor, 'tun').status(machineName(vmid), timeout),
  );
}

export async function setMachineTun(
  context: Context,
  service: Service,
  action: 'enable' | 'disable',
): Promise<TunStatus> {
  const machine = await machineOf(context, requireMachine(service));
  return runMachineCommand(context, machine, 'a tunnel device change', ({ hypervisor, name, signal }) =>
    requireCapability(hypervisor, 'tun').set(name, `${action}d`, signal),
  );
}

/** Without a number, returns the account's only machine. */
export async function serviceOfOptionalVmid(context: Context, vmid: number | undefined): Promise<Service> {
  return serviceOfVmid(context, vmid ?? (await onlyMachine(context)));
}

async function onlyMachine(context: Context): Promise<number> {
  const services = await visibleServices(context);
  const [only, ...others] = services.filter((service) => isMachine(service) && service.status !== 'Terminated');
  if (only === undefined || others.length > 0)
    throw invalid({ vmid: 'can be omitted only if the account has exactly one machine' });
  return only.vmid!;
}
