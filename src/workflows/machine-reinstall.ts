// A new system for a virtual machine. It is built beside the old one while that runs on, so that the machine has a system at
// every moment: until `use` the old one, from then on the new one, and on the way back the old one again. The old one is
// removed only when all of this has ended well (reconcilers/machine-tidy.ts), because there is no way back from that.
//
// lock: one command at a time.   look: what to go back to.   build: the new one, beside.   ask, off: gracefully, then hard.
// use: from the old one to the new one.   on: it runs.   confirm: the node says so too.
import type { MachineAddress } from '#drivers/hypervisor/driver.ts';
import { eventAppend } from '#jobs/event-append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineChange } from '#store/devices/machines.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  answered,
  lockTaken,
  machineBefore,
  machineRow,
  onNode,
  powerSet,
  shutdownAsked,
  switchedOff,
  switchedOnAgain,
  undone,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from './machine-command.ts';
import { done, failed, workflow, type StepResult } from './workflow.ts';

export interface MachineReinstallInput extends MachineTarget {
  readonly template: string;
  /** What the node calls the template. */
  readonly source: string;
  readonly hostname: string;
  readonly addresses: readonly MachineAddress[];
  readonly nameServers: readonly string[];
  readonly graceMs: number;
}

/** Large templates on slow disks; a step may take ten minutes. */
const buildMs = 9 * 60_000;

export const machineReinstall = workflow<MachineDeps, MachineReinstallInput>('machine-reinstall', 1)
  .step('lock', { do: (context, input) => lockTaken(context, input), undo: 'nothing' })
  .step('look', {
    do: (context, input) =>
      answered(async () => {
        const { node, name } = input;
        const looked = await machineBefore(context, input);
        if (looked.kind !== 'done') return looked;
        // What an earlier reinstall has left would take the room of this one.
        await onNode(context, node, (hypervisor, limit) => hypervisor.systems.tidy(name, limit));
        const system = await onNode(context, node, (hypervisor, limit) => hypervisor.systems.current(name, limit));
        return done({ was: looked.output.was, system });
      }),
    undo: 'nothing',
  })
  .step('build', {
    do: (context, input) => answered(() => built(context, input)),
    undo: (context, input) =>
      undone(context, input, async () => {
        await onNode(context, input.node, (hypervisor, limit) => hypervisor.systems.tidy(input.name, limit));
        return done();
      }),
  })
  .step('ask', {
    do: (context, input, { look }) => answered(() => shutdownAsked(context, input, look.was)),
    undo: (context, input, { look }) => switchedOnAgain(context, input, look?.was, input.graceMs),
  })
  .step('off', {
    do: (context, input) => answered(() => switchedOff(context, input, input.graceMs)),
    undo: 'nothing',
  })
  .step('use', {
    do: (context, input) => answered(() => used(context, input, systemId(context))),
    undo: (context, input, { look }) =>
      undone(context, input, async () => {
        if (look === undefined) return done();
        await onNode(context, input.node, (hypervisor, limit) => hypervisor.power.set(input.name, 'off', limit));
        return used(context, input, look.system);
      }),
  })
  .step('on', {
    do: (context, input) => answered(() => powerSet(context, input, 'on')),
    undo: (context, input) => undone(context, input, () => powerSet(context, input, 'off')),
  })
  .step('confirm', {
    do: (context, input) => answered(() => confirmed(context, input)),
    undo: 'nothing',
  })
  .whenEnded(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, name, template } = input as MachineReinstallInput;
    await machineChange(queries, service, {
      install_secret: null,
      ...(outcome === 'Completed' ? { template, untidy: 1 } : {}),
    });
    await reconcilerSignal(queries, 'machine-tidy');
    await deviceLockRelease(queries, name, holder);
    const told = {
      Completed: { type: 'device.reload.completed', data: { system: template } },
      Failed: { type: 'device.reload.failed', data: { reason } },
      Cancelled: { type: 'device.reload.cancelled', data: {} },
    } as const;
    await eventAppend(deps, queries, { account, service, ...told[outcome] });
  });

/** Named after the workflow, so that whoever comes after a crash finds it. */
function systemId({ workflow: id }: MachineContext): string {
  return `s-${id}`;
}

export function installSealContext(service: number): string {
  return `machine password ${service}`;
}

async function built(context: MachineContext, input: MachineReinstallInput): Promise<StepResult<undefined>> {
  const { service, node, name, source, hostname, addresses, nameServers } = input;
  const { install_secret: sealed } = await machineRow(context, service);
  if (sealed === null) return failed('internal_error', 'The new password is gone.');
  const rootPassword = context.deps.secrets.open(sealed, installSealContext(service));
  const system = { id: systemId(context), template: source, hostname, rootPassword, addresses, nameServers };
  await onNode(context, node, (hypervisor, limit) => hypervisor.systems.build(name, system, limit), buildMs);
  // It is inside the new system now, and nowhere else is it needed.
  return done(undefined, (queries) => machineChange(queries, service, { install_secret: null }));
}

async function used(
  context: MachineContext,
  { node, name }: MachineReinstallInput,
  system: string,
): Promise<StepResult<undefined>> {
  await onNode(context, node, (hypervisor, limit) => hypervisor.systems.use(name, system, limit));
  return done();
}

async function confirmed(
  context: MachineContext,
  { node, name }: MachineReinstallInput,
): Promise<StepResult<undefined>> {
  const [current, state] = await onNode(context, node, async (hypervisor, limit) => [
    await hypervisor.systems.current(name, limit),
    await hypervisor.power.state(name, limit),
  ]);
  if (current !== systemId(context) || state !== 'on') return failed('node_error', 'The new system does not run.');
  return done();
}
