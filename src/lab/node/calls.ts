// What a lab node does when it is told to: the calls of its control protocol, each a function over the node's machines.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LabNodeFaults, LabNodeStep } from './faults.ts';
import type { LabBootTarget, LabMachineState, LabShape, LabSystem, LabVirtualMachine } from './machine.ts';

/** The node says no: with a status of HTTP and a word that its clients know. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: 'malformed' | 'unauthorized' | 'absent' | 'state' | 'no_room' | 'no_template';

  constructor(status: number, code: Refusal['code'], message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
  }
}

export interface LabNodeHouse {
  readonly machines: Map<string, LabVirtualMachine>;
  readonly templates: readonly string[];
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly buildMs: number;
  faults(): LabNodeFaults;
  /** Puts a machine into the house, running if its state says so. */
  add(name: string, state: LabMachineState): LabVirtualMachine;
  save(): void;
  /** For one connection to the screen of this machine. */
  admit(machine: LabVirtualMachine): { port: number; password: string };
}

export type Body = Readonly<Record<string, unknown>>;
export interface Call {
  readonly step?: LabNodeStep;
  run(house: LabNodeHouse, names: { readonly machine: string; readonly system: string }, body: Body): unknown;
}

const bytesPerMb = 2 ** 20;
const bytesPerGb = 2 ** 30;
const usedOfDisk = 0.15;
const usedOfMemory = 0.3;
const receivedPerSecond = 1_500;
const sentPerSecond = 900;

/** By method and path; `*` stands for the name of a machine, then for that of a system. */
export const calls: Readonly<Record<string, Call>> = {
  'GET /room': { run: (house) => roomOf(house) },
  'GET /machines': { run: (house) => Array.from(house.machines.values(), found) },
  'GET /machines/*': {
    run: (house, names) => ({ ...found(machineOf(house, names)), shape: machineOf(house, names).state.shape }),
  },
  'PUT /machines/*': {
    step: 'create',
    async run(house, { machine: name }, body) {
      const shape = shapeOf(body['shape']);
      const first = record(body['first']);
      const id = text(first, 'id');
      if (house.machines.has(name)) return;
      const room = roomOf(house);
      if (shape.memoryMb > room.memoryMb || shape.diskGb > room.diskGb) throw noRoom();
      const systems = { [id]: systemOf(house, first) };
      house.add(name, { shape, power: 'off', systems, current: id, tun: 'disabled' });
      systems[id]!.isWhole = true;
      house.save();
      await sleep(house.buildMs);
    },
  },
  'DELETE /machines/*': {
    step: 'remove',
    run(house, { machine: name }) {
      house.machines.get(name)?.close();
      house.machines.delete(name);
      house.save();
    },
  },
  'PUT /machines/*/power': {
    step: 'power',
    run: (house, names, body) => machineOf(house, names).setPower(choice(body, 'state', ['on', 'off'])),
  },
  'POST /machines/*/shutdown': {
    step: 'shutdown',
    run: (house, names) => machineOf(house, names).requestShutdown(),
  },
  'POST /machines/*/reset': { step: 'reset', run: (house, names) => running(machineOf(house, names)).restart() },
  'PUT /machines/*/systems/*': {
    step: 'build',
    async run(house, names, body) {
      const { state } = machineOf(house, names);
      const there = state.systems[names.system];
      if (there?.isWhole === true) return;
      if (there === undefined && state.shape.diskGb > roomOf(house).diskGb) throw noRoom();
      const system = (state.systems[names.system] ??= systemOf(house, body));
      house.save();
      if (house.faults().diesAt === 'build') return;
      await sleep(house.buildMs);
      system.isWhole = true;
      house.save();
    },
  },
  'PUT /machines/*/current': {
    step: 'use',
    run(house, names, body) {
      const machine = machineOf(house, names);
      const id = text(body, 'id');
      if (machine.state.systems[id]?.isWhole !== true) throw new Refusal(404, 'absent', 'There is no such system.');
      if (machine.state.current === id) return;
      if (machine.state.power === 'on') throw new Refusal(409, 'state', 'The machine is on.');
      machine.state.current = id;
      machine.refresh();
    },
  },
  'GET /machines/*/current': { run: (house, names) => ({ id: machineOf(house, names).state.current }) },
  'POST /machines/*/tidy': {
    step: 'tidy',
    run(house, names) {
      const { state } = machineOf(house, names);
      for (const id of Object.keys(state.systems)) if (id !== state.current) delete state.systems[id];
      house.save();
    },
  },
  'PUT /machines/*/image': {
    step: 'image',
    run(house, names, body) {
      machineOf(house, names).state.image = text(body, 'image');
      house.save();
    },
  },
  'DELETE /machines/*/image': {
    step: 'image',
    run(house, names) {
      delete machineOf(house, names).state.image;
      house.save();
    },
  },
  'PUT /machines/*/boot': {
    step: 'boot',
    run(house, names, body) {
      machineOf(house, names).state.nextBoot = choice<LabBootTarget>(body, 'target', ['pxe', 'cdrom', 'disk']);
      house.save();
    },
  },
  'PUT /machines/*/hostname': {
    step: 'hostname',
    run(house, names, body) {
      const machine = running(machineOf(house, names));
      machine.system().hostname = text(body, 'hostname');
      machine.refresh();
    },
  },
  'PUT /machines/*/password': {
    step: 'password',
    run(house, names, body) {
      const machine = running(machineOf(house, names));
      machine.system().rootPassword = text(body, 'password');
      machine.refresh();
    },
  },
  'PUT /machines/*/tun': {
    step: 'tun',
    run(house, names, body) {
      machineOf(house, names).state.tun = choice(body, 'state', ['enabled', 'disabled']);
      house.save();
    },
  },
  'GET /machines/*/statistics': { run: (house, names) => useOf(machineOf(house, names)) },
  'POST /machines/*/screen': { run: (house, names) => house.admit(running(machineOf(house, names))) },
};

export function machineOf(house: LabNodeHouse, { machine: name }: { readonly machine: string }): LabVirtualMachine {
  const machine = house.machines.get(name);
  if (machine === undefined) throw new Refusal(404, 'absent', 'There is no such machine.');
  return machine;
}

export function running(machine: LabVirtualMachine): LabVirtualMachine {
  if (machine.state.power === 'off') throw new Refusal(409, 'state', 'The machine is off.');
  return machine;
}

function found({ name, state }: LabVirtualMachine): { name: string; power: 'on' | 'off' } {
  return { name, power: state.power };
}

function roomOf({ machines, memoryMb, diskGb, faults }: LabNodeHouse): { memoryMb: number; diskGb: number } {
  let memoryLeft = memoryMb;
  let diskLeft = diskGb;
  for (const { state } of machines.values()) {
    memoryLeft -= state.shape.memoryMb;
    diskLeft -= state.shape.diskGb * Object.keys(state.systems).length;
  }
  return { memoryMb: Math.max(0, memoryLeft), diskGb: faults().isDiskFull === true ? 0 : Math.max(0, diskLeft) };
}

function useOf({ state, startedAtMs }: LabVirtualMachine): Record<string, number> {
  const { memoryMb, diskGb } = state.shape;
  const seconds = state.power === 'on' ? (Date.now() - startedAtMs) / 1000 : 0;
  return {
    ...(state.power === 'on' && { memoryUsed: Math.round(memoryMb * bytesPerMb * usedOfMemory) }),
    memoryTotal: memoryMb * bytesPerMb,
    diskUsed: Math.round(diskGb * bytesPerGb * usedOfDisk),
    diskTotal: diskGb * bytesPerGb,
    received: Math.round(seconds * receivedPerSecond),
    sent: Math.round(seconds * sentPerSecond),
  };
}

function systemOf({ templates }: LabNodeHouse, body: Body): LabSystem {
  const template = text(body, 'template');
  if (!templates.includes(template)) throw new Refusal(422, 'no_template', 'There is no such template.');
  return {
    template,
    hostname: text(body, 'hostname'),
    rootPassword: text(body, 'rootPassword'),
    addresses: list(body, 'addresses'),
    nameServers: list(body, 'nameServers'),
    isWhole: false,
  };
}

function noRoom(): Refusal {
  return new Refusal(507, 'no_room', 'There is no room.');
}

function malformed(name: string): Refusal {
  return new Refusal(400, 'malformed', `${name} is missing or wrong.`);
}

function record(value: unknown): Body {
  if (typeof value !== 'object' || value === null) throw malformed('A part');
  return value as Body;
}

function text(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw malformed(name);
  return value;
}

function list(body: Body, name: string): readonly unknown[] {
  const value = body[name];
  if (!Array.isArray(value)) throw malformed(name);
  return value;
}

function choice<T extends string>(body: Body, name: string, choices: readonly T[]): T {
  const value = choices.find((each) => each === body[name]);
  if (value === undefined) throw malformed(name);
  return value;
}

function shapeOf(value: unknown): LabShape {
  const shape = record(value);
  const number = (name: string): number => {
    const amount = shape[name];
    if (typeof amount !== 'number' || !(amount > 0)) throw malformed(name);
    return amount;
  };
  return { vcpus: number('vcpus'), memoryMb: number('memoryMb'), diskGb: number('diskGb'), mac: text(shape, 'mac') };
}
