// A new system for a virtual machine: begun by a call, which answers the new root password, and carried on in the background.
// Whatever can be known to stand in the way is found out first, while nothing has been touched.
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import { randomPassword } from '#kernel/random.ts';
import { deviceLockFind, deviceLockTake } from '#store/devices/device-locks.ts';
import { machineChange } from '#store/devices/machines.ts';
import { nodeFind } from '#store/devices/nodes.ts';
import type { Service } from '#store/devices/services.ts';
import { workflowUnderWay } from '#store/work/workflows.ts';
import { targetOf } from '#workflows/machine-command.ts';
import { installSealContext, machineReinstall, type MachineReinstallInput } from '#workflows/machine-reinstall.ts';
import { cancelWorkflow, startWorkflow } from '#workflows/runner.ts';
import { commandLimit } from '../services/command-limit.ts';
import { tellOf } from '../events/events.ts';
import { addressesToSet } from './addresses.ts';
import { shutdownGraceMs } from './power.ts';
import { machineOf, rootPasswordLength, type PlacedMachine } from './machines.ts';
import { templateChosen, templatesListed } from './templates.ts';
import type { Context } from '../yard.ts';

const turnMs = 5000;
const lookAgainMs = 100;
const lockMs = 30 * 60_000;
const reinstallPurpose = 'reinstall';

export async function machineTemplates(context: Context, service: Service) {
  return templatesListed(context, (await machineOf(context, service)).kind);
}

/** Answers the new root password, which is shown this once. */
export async function machineReinstallStart(context: Context, service: Service, value: string): Promise<string> {
  const machine = await machineOf(context, service);
  const template = await templateChosen(context, machine.kind, value);
  await checkRoom(context, machine);
  const password = randomPassword(rootPasswordLength);
  const { queries, yard } = context;
  const node = await nodeFind(queries, machine.node);
  const input = {
    ...targetOf(machine, reinstallPurpose),
    template: template.value,
    source: template.source,
    hostname: service.hostname,
    addresses: await addressesToSet(queries, service),
    nameServers: JSON.parse(node?.name_servers ?? '[]') as string[],
    graceMs: shutdownGraceMs,
  };
  for (const until = performance.now() + turnMs; ;) {
    try {
      await begin(context, service, input, yard.secrets.seal(password, installSealContext(service.id)));
      return password;
    } catch (error) {
      const isBusy = error instanceof Fault && error.code === 'device_busy';
      if (!isBusy || performance.now() >= until || (await isReinstalling(context, service))) throw error;
      await pause(lookAgainMs);
    }
  }
}

/** Goes back to the old system, whatever has been done; answers when that is sure to happen. */
export async function machineReinstallCancel(context: Context, service: Service): Promise<void> {
  const { yard, queries } = context;
  const id = await workflowUnderWay(queries, service.id, machineReinstall.name);
  const isCancelled = id !== undefined && (await yard.store.transaction((inside) => cancelWorkflow(yard, inside, id)));
  if (!isCancelled) throw new Fault('state_conflict', { message: 'No reload is in progress.' });
}

/** With the machine's lock in the name of the workflow, so that of two calls at once one is told of the other. */
async function begin(context: Context, service: Service, input: MachineReinstallInput, secret: string): Promise<void> {
  const { yard, operation } = context;
  const { name: device, purpose, template } = input;
  await yard.store.transaction(async (queries) => {
    const now = yard.clock.now();
    const start = { account: service.account_id, service: service.id, operation, input };
    const holder = await startWorkflow(yard, queries, machineReinstall, start);
    if (!(await deviceLockTake(queries, { device, holder, purpose, held_until: now + lockMs }, now))) {
      const held = await deviceLockFind(queries, device, now);
      const running = held?.purpose ?? 'another command';
      throw new Fault('device_busy', { message: `The device is busy: ${running} is running.` });
    }
    await machineChange(queries, service.id, { install_secret: secret });
    await tellOf({ ...context, queries }, service, 'device.reload.started', { system: template });
  });
}

async function isReinstalling({ queries }: Context, service: Service): Promise<boolean> {
  return (await workflowUnderWay(queries, service.id, machineReinstall.name)) !== undefined;
}

/** The new system stands beside the old one for a while. What an earlier reinstall left is removed before. */
async function checkRoom({ yard }: Context, { node, disk_gb, untidy }: PlacedMachine): Promise<void> {
  const limit = commandLimit();
  const { diskGb } = await yard.nodes.use(node, (each) => each.room(limit));
  if (diskGb + (untidy === 1 ? disk_gb : 0) < disk_gb) {
    throw new Fault('nothing_free', { message: 'The node has no room for a new system; nothing was changed.' });
  }
}
