// Making a virtual machine that was ordered: a node where it fits, the machine with its first system, and on. One of its name
// that a node has already is taken over as it is. Where nothing fits it waits and says so: nodes get room, and the site file
// can be changed meanwhile.
//
// place: on which node.   make: with its first system.   start: it runs.
import type { MachineAddress, Room } from '#drivers/hypervisor/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { randomPassword } from '#kernel/random.ts';
import { deviceLockRelease, deviceLockTake } from '#store/devices/device-locks.ts';
import { machineChange, machinesPromised, type Machine } from '#store/devices/machines.ts';
import { nodeList, type NodeRow } from '#store/devices/nodes.ts';
import { serviceActivate } from '#store/devices/services.ts';
import { templateFind } from '#store/devices/templates.ts';
import {
  answered,
  machineRow,
  onNode,
  powerSet,
  targetOf,
  undone,
  type MachineContext,
  type MachineDeps,
} from './machine-command.ts';
import { done, failed, wait, workflow, type StepResult } from './workflow.ts';

export interface MachineCreateInput {
  readonly service: number;
  /** What the node is to call it. */
  readonly name: string;
  readonly hostname: string;
  readonly addresses: readonly MachineAddress[];
}

const placementLock = 'placement of machines';
const placementMs = 60_000;
const lockLookMs = 100;
const roomAgainMs = 10_000;
const createMs = 9 * 60_000;
const passwordLength = 20;
const purpose = 'making the machine';

export const machineCreate = workflow<MachineDeps, MachineCreateInput>('machine-create', 1)
  .step('place', {
    do: (context, input) => context.deps.nodes.placing(() => placed(context, input)),
    async undo(_context, { service }) {
      return done(undefined, (queries) => machineChange(queries, service, { node: null }));
    },
  })
  .step('make', {
    do: (context, input, { place }) => answered(() => made(context, input, place)),
    undo: (context, { service }, { place }) =>
      machineUndone(context, service, async (target) => {
        if (place?.origin === 'new')
          await onNode(context, target.node, (hypervisor, limit) => hypervisor.machines.remove(target.name, limit));
        return done();
      }),
  })
  .step('start', {
    do: (context, { service }, { place }) =>
      answered(async () => {
        const target = targetOf({ ...(await machineRow(context, service)), node: place.node }, purpose);
        return place.origin === 'new' ? powerSet(context, target, 'on') : done();
      }),
    undo: (context, { service }, { place }) =>
      machineUndone(context, service, async (target) =>
        place?.origin === 'new' ? powerSet(context, target, 'off') : done(),
      ),
  })
  .whenEnded(async (queries, { workflow: holder, input, outcome, reason }) => {
    const { service, name } = input as MachineCreateInput;
    await deviceLockRelease(queries, name, holder);
    if (outcome !== 'Completed') return machineChange(queries, service, { reason });
    await machineChange(queries, service, { state: 'ready', reason: '' });
    return serviceActivate(queries, service);
  });

interface Placed {
  readonly node: string;
  readonly origin: 'new' | 'found';
}

/** One at a time in the whole cluster: two machines must not be promised the same room. */
async function placed(context: MachineContext, { service, name }: MachineCreateInput): Promise<StepResult<Placed>> {
  const { deps, workflow: holder } = context;
  const { queries } = deps.store;
  const now = deps.clock.now();
  const lock = { device: placementLock, holder, purpose, held_until: now + placementMs };
  if (!(await deviceLockTake(queries, lock, now))) return wait(lockLookMs);
  try {
    const machine = await machineRow(context, service);
    if (machine.node !== null) return done({ node: machine.node, origin: machine.state === 'ready' ? 'found' : 'new' });
    const { found, best, reason } = await survey(context, machine, name);
    // Told apart from a new one for good, in one transaction: what was found is never removed.
    if (found !== undefined)
      return done({ node: found, origin: 'found' }, (inStep) => machineChange(inStep, service, { node: found }));
    if (best === undefined) {
      await machineChange(queries, service, { reason });
      return wait(roomAgainMs);
    }
    await machineChange(queries, service, { node: best });
    return done({ node: best, origin: 'new' });
  } finally {
    await deviceLockRelease(queries, placementLock, holder);
  }
}

interface Survey {
  readonly found: string | undefined;
  readonly best: string | undefined;
  readonly reason: string;
}
/** Every node that may have it: who has it already, or else who has most memory left of those where it fits. */
async function survey(context: MachineContext, machine: Machine, name: string): Promise<Survey> {
  const { deps } = context;
  const all = await nodeList(deps.store.queries);
  const promised = await machinesPromised(deps.store.queries, machine.service_id);
  const able = all.filter(
    ({ name, driver }) => deps.nodes.kindsOf(driver).includes(machine.kind) && (machine.wanted_node ?? name) === name,
  );
  const looks = await Promise.all(able.map((node) => look(context, node, name)));
  const found = looks.find((each) => each.has)?.node;
  const fitting = looks.flatMap(({ node, room }) => {
    if (room === undefined) return [];
    const owed = promised.filter((each) => each.node === node);
    const memoryMb = room.memoryMb - sum(owed.map(({ memory_mb }) => memory_mb)) - machine.memory_mb;
    const diskGb = room.diskGb - sum(owed.map(({ disk_gb }) => disk_gb)) - machine.disk_gb;
    return memoryMb >= 0 && diskGb >= 0 ? [{ node, memoryMb }] : [];
  });
  const [best] = fitting.toSorted((one, other) => other.memoryMb - one.memoryMb);
  const silent = looks.filter(({ room }) => room === undefined).map(({ node }) => node);
  return { found, best: best?.node, reason: whyNot(machine, able.length, silent) };
}

async function look(context: MachineContext, { name: node }: NodeRow, machine: string) {
  try {
    return await onNode(context, node, async (hypervisor, limit) => ({
      node,
      has: (await hypervisor.machines.find(machine, limit)) !== undefined,
      room: (await hypervisor.room(limit)) as Room | undefined,
    }));
  } catch (error) {
    // Its silence is no matter of the machines that fit elsewhere.
    if (error instanceof Fault) return { node, has: false, room: undefined };
    throw error;
  }
}

function whyNot({ kind, memory_mb, disk_gb, wanted_node }: Machine, able: number, silent: readonly string[]): string {
  if (able === 0) return wanted_node === null ? `No node takes ${kind} machines.` : `Node ${wanted_node} is not there.`;
  const unheard = silent.length === 0 ? '' : ` No answer from ${silent.join(', ')}.`;
  return `No node has ${memory_mb} MB of memory and ${disk_gb} GB of disk left.${unheard}`;
}

async function made(
  context: MachineContext,
  { service, name, hostname, addresses }: MachineCreateInput,
  { node, origin }: Placed,
): Promise<StepResult<undefined>> {
  const { deps, workflow: id, now } = context;
  if (origin === 'found') return done();
  const lock = { device: name, holder: id, purpose, held_until: now + createMs };
  if (!(await deviceLockTake(deps.store.queries, lock, now))) return wait(lockLookMs);
  const machine = await machineRow(context, service);
  const template = await templateFind(deps.store.queries, machine.template);
  if (template === undefined) return failed('not_in_catalogue', `There is no template ${machine.template} any more.`);
  const row = (await nodeList(deps.store.queries)).find((each) => each.name === node);
  const nameServers = JSON.parse(row?.name_servers ?? '[]') as string[];
  // Nobody knows it: the customer asks for one of his own when he first needs it.
  const rootPassword = randomPassword(passwordLength);
  const first = { id: `s-${id}`, template: template.source, hostname, rootPassword, addresses, nameServers };
  const { vcpus, memory_mb: memoryMb, disk_gb: diskGb, mac } = machine;
  await onNode(
    context,
    node,
    async (hypervisor, limit) => {
      // Half of one, from before a crash. It has never run.
      if ((await hypervisor.machines.find(name, limit)) !== undefined) await hypervisor.machines.remove(name, limit);
      await hypervisor.machines.create(name, { vcpus, memoryMb, diskGb, mac }, first, limit);
    },
    createMs,
  );
  return done();
}

async function machineUndone(
  context: MachineContext,
  service: number,
  work: (target: ReturnType<typeof targetOf>) => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  const { node, ...machine } = await machineRow(context, service);
  if (node === null) return done();
  const target = targetOf({ ...machine, node }, purpose);
  return undone(context, target, () => work(target));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
