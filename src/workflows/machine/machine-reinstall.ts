// Reinstalls a virtual machine. The new system is built next to the running one, so that the machine always has a system: the
// old one until `use`, then the new one, and after a rollback the old one again. The old system is removed only after the
// workflow has completed (reconcilers/machine-tidy.ts), because that cannot be undone.
import { plainPlatform, type MachineAddress, type Platform } from '#drivers/hypervisor/driver.ts';
import { appendEvent } from '#events/append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineChange } from '#store/devices/machines.ts';
import { serviceInstalledSet } from '#store/devices/services.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  machineLockStep,
  machineAskStep,
  machineDevice,
  machineOffStep,
  machineRow,
  setPower,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, workflow, type Settled } from '../engine/workflow.ts';
import { openInstallData } from './install-data.ts';
import { stopIfSilent } from './silence-watch.ts';
import { confirmSystem, lookStep, newSystemId, undoBuild, useStep } from './system-switch.ts';

export interface MachineReinstallInput extends MachineTarget {
  readonly template: string;
  /** The template's name on the hypervisor. */
  readonly source: string;
  /** `plainPlatform` if absent, as in reloads that started before there was a choice. */
  readonly platform?: Platform;
  readonly hostname: string;
  readonly addresses: readonly MachineAddress[];
  readonly nameServers: readonly string[];
  readonly graceMs: number;
}

/** For large templates on slow disks; a step may take ten minutes. */
const buildTimeoutMs = 9 * 60_000;

export const machineReinstall = workflow<MachineDeps, MachineReinstallInput>('machine-reinstall', 1)
  .step('lock', machineLockStep)
  .step('look', lookStep)
  .step('build', {
    isInterruptible: true,
    do: (context, input) => toStepResult(context, () => buildSystem(context, input)),
    undo: undoBuild,
  })
  .step('ask', machineAskStep)
  .step('off', machineOffStep)
  .step('use', useStep)
  .step('on', {
    do: (context, input) => toStepResult(context, () => setPower(machineDevice(context, input), 'on')),
    undo: (context, input) => undoWithRetry(context, input, () => setPower(machineDevice(context, input), 'off')),
  })
  .step('confirm', {
    do: (context, input) =>
      toStepResult(context, () => confirmSystem(context, input, 'on', 'The new system is not running.')),
    undo: 'nothing',
  })
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, name, template } = input;
    await machineChange(queries, service, {
      install_secret: null,
      install_data: null,
      // The addresses may have changed since the new system was built.
      addresses_digest: null,
      ...(outcome === 'Completed' ? { template, untidy: 1 } : {}),
    });
    if (outcome === 'Completed') await serviceInstalledSet(queries, service, { installed_at: deps.clock.now() });
    await reconcilerSignal(queries, 'machine-tidy');
    await reconcilerSignal(queries, 'machine-addresses');
    await deviceLockRelease(queries, name, holder);
    const events = {
      Completed: { type: 'device.reload.completed', data: { system: template } },
      Failed: { type: 'device.reload.failed', data: { reason } },
      Cancelled: { type: 'device.reload.cancelled', data: {} },
    } as const;
    await appendEvent(deps, queries, { account, service, ...events[outcome] });
  });

export function installSealContext(service: number): string {
  return `machine password ${service}`;
}

async function buildSystem(context: MachineContext, input: MachineReinstallInput): Promise<Settled<undefined>> {
  const { service, node, name, source, platform = plainPlatform, hostname, addresses, nameServers } = input;
  const machine = await machineRow(context, service);
  const { install_secret: sealed } = machine;
  if (sealed === null) return failed('internal_error', 'The new password was lost.');
  const rootPassword = context.deps.secrets.open(sealed, installSealContext(service));
  const system = {
    id: newSystemId(context.workflow),
    template: source,
    platform,
    hostname,
    rootPassword,
    addresses,
    nameServers,
    ...openInstallData(context.deps.secrets, machine),
  };
  await stopIfSilent(context, { node, name }, (watched) =>
    useHypervisor(watched, node, ({ systems }, limit) => systems.build(name, system, limit), buildTimeoutMs),
  );
  // Only the new system needs them from here on.
  return done(undefined, (queries) => machineChange(queries, service, { install_secret: null, install_data: null }));
}
