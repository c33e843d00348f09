// The calls of a lab hypervisor's control protocol, each a function over its machines.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CallError,
  capacityOf,
  choice,
  insufficientCapacity,
  list,
  machineOf,
  record,
  requireRunning,
  sizeOf,
  text,
  type Body,
  type Call,
  type HypervisorContext,
} from './call.ts';
import { bytesPerGb, bytesPerMb, labCounters, usedShares } from './load.ts';
import type { LabHypervisorMalfunctions, LabHypervisorStep } from './malfunctions.ts';
import { labTemplates } from './templates.ts';
import { migrationCalls } from './migration-calls.ts';
import { backupCalls } from './backups.ts';
import { snapshotCalls } from './snapshots.ts';
import { releaseVolumes, volumeCalls } from './volumes.ts';
import type { LabBootTarget, LabShape, LabSystem, LabVirtualMachine } from './machine.ts';

/** By method and path; the first `*` is the machine's name, the second the system's. */
export const calls: Readonly<Record<string, Call>> = {
  ...snapshotCalls,
  ...backupCalls,
  ...volumeCalls,
  ...migrationCalls,
  'GET /capacity': { run: (hypervisor) => capacityOf(hypervisor) },
  'GET /totals': { run: ({ memoryMb, diskGb }) => ({ version: 'Lab hypervisor 1.0', cpus: 32, memoryMb, diskGb }) },
  'GET /machines': { run: (hypervisor) => Array.from(hypervisor.machines.values(), summaryOf) },
  'GET /machines/*': {
    run: (hypervisor, names) => ({
      ...summaryOf(machineOf(hypervisor, names)),
      shape: machineOf(hypervisor, names).state.shape,
    }),
  },
  'PUT /machines/*': {
    step: 'create',
    async run(hypervisor, { machine: name }, body) {
      const shape = shapeOf(body['shape']);
      const first = record(body['first']);
      const id = text(first, 'id');
      if (hypervisor.machines.has(name)) return;
      const capacity = capacityOf(hypervisor);
      if (shape.memoryMb > capacity.memoryMb || shape.diskGb > capacity.diskGb) throw insufficientCapacity();
      const systems = { [id]: systemOf(hypervisor, first) };
      const networks = list(record(body['shape']), 'networks');
      hypervisor.add(name, { shape, power: 'off', systems, current: id, tun: 'disabled', networks });
      systems[id]!.isWhole = true;
      hypervisor.save();
      await sleep(hypervisor.buildMs);
    },
  },
  'PUT /machines/*/networks': change('networks', ({ state }, body) => {
    state.networks = list(body, 'networks');
  }),
  'PUT /machines/*/addresses': change('addresses', (machine, body) => {
    Object.assign(machine.system(), { addresses: list(body, 'addresses'), nameServers: list(body, 'nameServers') });
  }),
  'DELETE /machines/*': {
    step: 'remove',
    run(hypervisor, { machine: name }) {
      hypervisor.machines.get(name)?.close();
      hypervisor.machines.delete(name);
      releaseVolumes(hypervisor, name);
      hypervisor.save();
    },
  },
  'PUT /machines/*/power': {
    step: 'power',
    run: (hypervisor, names, body) => machineOf(hypervisor, names).setPower(choice(body, 'state', ['on', 'off'])),
  },
  'POST /machines/*/shutdown': {
    step: 'shutdown',
    run: (hypervisor, names) => machineOf(hypervisor, names).requestShutdown(),
  },
  'POST /machines/*/reset': {
    step: 'reset',
    run: (hypervisor, names) => requireRunning(machineOf(hypervisor, names)).restart(),
  },
  'PUT /machines/*/systems/*': {
    step: 'build',
    async run(hypervisor, names, body) {
      const { state } = machineOf(hypervisor, names);
      const existing = state.systems[names.system];
      if (existing?.isWhole === true) return;
      if (existing === undefined && state.shape.diskGb > capacityOf(hypervisor).diskGb) throw insufficientCapacity();
      const system = (state.systems[names.system] ??= systemOf(hypervisor, body));
      hypervisor.save();
      const { crashesAt, buildMs = hypervisor.buildMs } = hypervisor.malfunctions();
      if (crashesAt === 'build') return;
      await sleep(buildMs, undefined, { ref: false });
      system.isWhole = true;
      hypervisor.save();
    },
  },
  'PUT /machines/*/current': change('use', (machine, body) => {
    const id = text(body, 'id');
    if (machine.state.systems[id]?.isWhole !== true) throw new CallError(404, 'absent', 'No such system.');
    if (machine.state.current !== id && machine.state.power === 'on')
      throw new CallError(409, 'state', 'The machine is powered on.');
    machine.state.current = id;
  }),
  'GET /machines/*/current': { run: (hypervisor, names) => ({ id: machineOf(hypervisor, names).state.current }) },
  'POST /machines/*/tidy': change('tidy', ({ state }) => {
    for (const id of Object.keys(state.systems)) if (id !== state.current) delete state.systems[id];
  }),
  'PUT /machines/*/image': change('image', ({ state }, body) => {
    state.image = text(body, 'image');
  }),
  'GET /machines/*/image': { run: (hypervisor, names) => ({ image: machineOf(hypervisor, names).state.image }) },
  'DELETE /machines/*/image': change('image', ({ state }) => {
    delete state.image;
  }),
  'PUT /machines/*/boot': change('boot', ({ state }, body) => {
    state.nextBoot = choice<LabBootTarget>(body, 'target', ['pxe', 'cdrom', 'disk']);
  }),
  'PUT /machines/*/hostname': change('hostname', (machine, body) => {
    requireRunning(machine).system().hostname = text(body, 'hostname');
  }),
  'PUT /machines/*/password': change('password', (machine, body) => {
    requireRunning(machine).system().rootPassword = text(body, 'password');
  }),
  'PUT /machines/*/tun': change('tun', ({ state }, body, { keepsTunUntilStart }) => {
    const before = state.tun;
    state.tun = choice(body, 'state', ['enabled', 'disabled']);
    if (keepsTunUntilStart === true && state.power === 'on' && state.tun !== before) state.oldTun = before;
    else delete state.oldTun;
  }),
  'GET /machines/*/tun': {
    run(hypervisor, names) {
      const { tun, oldTun } = machineOf(hypervisor, names).state;
      return { state: tun, effect: oldTun === undefined ? 'now' : 'next start' };
    },
  },
  'GET /machines/*/statistics': { run: (hypervisor, names) => usageOf(machineOf(hypervisor, names), hypervisor.now()) },
  'GET /statistics': {
    run: ({ machines, now }) =>
      Object.fromEntries(Array.from(machines.values(), (machine) => [machine.name, usageOf(machine, now())])),
  },
  'POST /machines/*/screen': {
    run(hypervisor, names) {
      const machine = requireRunning(machineOf(hypervisor, names));
      return isContainer(machine) ? { kind: 'text' } : hypervisor.admit(machine);
    },
  },
  'GET /machines/*/output': {
    run: (hypervisor, names) => {
      const lines = machineOf(hypervisor, names).screen.text().split('\n');
      const last = lines.findLastIndex((line) => line !== '');
      return { text: lines.slice(0, last + 1).join('\n') };
    },
  },
};

/** A call that changes the settings of a machine. */
function change(
  step: LabHypervisorStep,
  apply: (machine: LabVirtualMachine, body: Body, malfunctions: LabHypervisorMalfunctions) => void,
): Call {
  return {
    step,
    run(hypervisor, names, body) {
      const machine = machineOf(hypervisor, names);
      apply(machine, body, hypervisor.malfunctions());
      machine.refresh();
    },
  };
}

/** Has a text console only. */
function isContainer(machine: LabVirtualMachine): boolean {
  return labTemplates.some(({ kind, source }) => kind === 'OpenVZ' && source === machine.system().template);
}

function summaryOf({ name, state }: LabVirtualMachine): { name: string; power: 'on' | 'off'; isFiltered: boolean } {
  return { name, power: state.power, isFiltered: state.networks !== undefined };
}

function usageOf({ name, state, startedAtMs }: LabVirtualMachine, nowMs: number): Record<string, number | string> {
  const { memoryMb, diskGb } = state.shape;
  const totals = {
    memoryTotal: memoryMb * bytesPerMb,
    diskUsed: Math.round(diskGb * bytesPerGb * usedShares.disk),
    diskTotal: diskGb * bytesPerGb,
  };
  if (state.power === 'off') return totals;
  return {
    ...totals,
    ...labCounters(name, state.shape.vcpus, startedAtMs, nowMs),
    run: String(startedAtMs),
    memoryUsed: Math.round(memoryMb * bytesPerMb * usedShares.memory),
  };
}

function systemOf({ templates, images }: HypervisorContext, body: Body): LabSystem {
  const source = text(body, 'template');
  const { template = source, content } = images[source] ?? {};
  if (!templates.includes(template)) throw new CallError(422, 'no_template', 'No such template.');
  return {
    template,
    ...(content !== undefined && { content }),
    hostname: text(body, 'hostname'),
    rootPassword: text(body, 'rootPassword'),
    addresses: list(body, 'addresses'),
    nameServers: list(body, 'nameServers'),
    sshKeys: list(body, 'sshKeys'),
    ...(body['userData'] === undefined ? {} : { userData: text(body, 'userData') }),
    isWhole: false,
  };
}

function shapeOf(value: unknown): LabShape {
  const shape = record(value);
  return { ...sizeOf(shape), mac: text(shape, 'mac') };
}
