// Shared by the calls of a lab hypervisor's control protocol: their context, errors, and how they read their bodies.
import type { LabHypervisorMalfunctions, LabHypervisorStep } from './malfunctions.ts';
import type { LabImage, LabMachineState, LabShape, LabVirtualMachine, LabVolume } from './machine.ts';

/** An error response with an HTTP status and a code known to clients. */
export class CallError extends Error {
  readonly status: number;
  readonly code: 'malformed' | 'unauthorized' | 'absent' | 'state' | 'no_capacity' | 'no_template';

  constructor(status: number, code: CallError['code'], message: string) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = code;
  }
}

export interface HypervisorContext {
  readonly machines: Map<string, LabVirtualMachine>;
  /** By id. */
  readonly volumes: Record<string, LabVolume>;
  /** By name. */
  readonly images: Record<string, LabImage>;
  /** Megabytes of filling in the content of each machine. */
  readonly fillMb: number;
  readonly templates: readonly string[];
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly buildMs: number;
  now(): number;
  malfunctions(): LabHypervisorMalfunctions;
  /** Adds a machine, and boots it if its state says so. */
  add(name: string, state: LabMachineState): LabVirtualMachine;
  save(): void;
  /** Returns VNC access for one connection to this machine. */
  admit(machine: LabVirtualMachine): { port: number; password: string };
}

export type Body = Readonly<Record<string, unknown>>;
export interface Call {
  readonly step?: LabHypervisorStep;
  run(hypervisor: HypervisorContext, names: { readonly machine: string; readonly system: string }, body: Body): unknown;
}

export function machineOf(
  hypervisor: HypervisorContext,
  { machine: name }: { readonly machine: string },
): LabVirtualMachine {
  const machine = hypervisor.machines.get(name);
  if (machine === undefined) throw new CallError(404, 'absent', 'No such machine.');
  return machine;
}

export function requireRunning(machine: LabVirtualMachine): LabVirtualMachine {
  if (machine.state.power === 'off') throw new CallError(409, 'state', 'The machine is powered off.');
  return machine;
}

export function capacityOf(hypervisor: HypervisorContext): {
  memoryMb: number;
  diskGb: number;
} {
  const { machines, volumes, memoryMb, diskGb, malfunctions } = hypervisor;
  let memoryLeft = memoryMb;
  let diskLeft = diskGb - copiedGb(hypervisor);
  for (const { state } of machines.values()) {
    memoryLeft -= state.shape.memoryMb;
    diskLeft -= state.shape.diskGb * Object.keys(state.systems).length;
  }
  for (const { sizeGb } of Object.values(volumes)) diskLeft -= sizeGb;
  return { memoryMb: Math.max(0, memoryLeft), diskGb: malfunctions().isDiskFull === true ? 0 : Math.max(0, diskLeft) };
}

/** What snapshots and the templates made from them occupy. */
function copiedGb({ machines, images }: HypervisorContext): number {
  const snapshots = Array.from(machines.values(), ({ state }) => Object.values(state.snapshots ?? {})).flat();
  return [...snapshots, ...Object.values(images)].reduce((sum, { sizeGb }) => sum + sizeGb, 0);
}

export function insufficientCapacity(): CallError {
  return new CallError(507, 'no_capacity', 'Not enough memory or disk space.');
}

export function malformed(name: string): CallError {
  return new CallError(400, 'malformed', `${name} is missing or invalid.`);
}

export function record(value: unknown): Body {
  if (typeof value !== 'object' || value === null) throw malformed('An object');
  return value as Body;
}

export function text(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw malformed(name);
  return value;
}

export function list(body: Body, name: string): readonly unknown[] {
  const value = body[name];
  if (!Array.isArray(value)) throw malformed(name);
  return value;
}

export function choice<T extends string>(body: Body, name: string, choices: readonly T[]): T {
  const value = choices.find((allowed) => allowed === body[name]);
  if (value === undefined) throw malformed(name);
  return value;
}

export function amount(body: Body, name: string): number {
  const value = body[name];
  if (typeof value !== 'number' || !(value > 0)) throw malformed(name);
  return value;
}

export function sizeOf(shape: Body): Omit<LabShape, 'mac'> {
  return { vcpus: amount(shape, 'vcpus'), memoryMb: amount(shape, 'memoryMb'), diskGb: amount(shape, 'diskGb') };
}
