// What Hostyard asks of a node that runs virtual machines: a full hypervisor or a host of containers. A node is a composition
// of small parts; one that it lacks is a property that is absent, and asking for it is a 422 that names it. Every call takes
// a signal; setting what is already so succeeds.
//
// A machine has a name that Hostyard gives it, and one or more systems, each with an id that Hostyard gives it too. It runs
// one of them. That is how a reinstall never leaves a machine without a system: the new one is built beside the old one,
// the machine is told to use it, and only then the old one is removed. Going back is `use` with the old id.
import type { Duplex } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import { Fault, type FaultDetail } from '#kernel/fault.ts';

export type MachinePowerState = 'on' | 'off';
export type MachineBootTarget = 'pxe' | 'cdrom' | 'disk';

export interface MachineShape {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  /** 52:54:00:… in lower case. */
  readonly mac: string;
}

/** An address of a machine with the length of its network, and the way out of it where there is one. */
export interface MachineAddress {
  readonly address: string;
  readonly prefixLength: number;
  readonly gateway?: string;
}

export interface SystemBuild {
  /** Letters, digits and hyphens. Building what is there already, whole or in part, ends with it whole. */
  readonly id: string;
  /** What the node's settings and the catalogue call it: a volume, a file or an image alias. */
  readonly template: string;
  readonly hostname: string;
  readonly rootPassword: string;
  readonly addresses: readonly MachineAddress[];
  readonly nameServers: readonly string[];
}

export interface FoundMachine {
  readonly name: string;
  readonly power: MachinePowerState;
  /** Which of several hosts it runs on, where the node is a cluster. */
  readonly member?: string;
}

export interface Machines {
  list(signal: AbortSignal): Promise<readonly FoundMachine[]>;
  find(name: string, signal: AbortSignal): Promise<FoundMachine | undefined>;
  /** Switched off, with its first system. A Fault `nothing_free`, and nothing made, where the node has no room. */
  create(name: string, shape: MachineShape, first: SystemBuild, signal: AbortSignal): Promise<void>;
  /** With all its systems, whatever state it is in. */
  remove(name: string, signal: AbortSignal): Promise<void>;
}

export interface MachinePower {
  state(name: string, signal: AbortSignal): Promise<MachinePowerState>;
  /** Returns once it is so; off is hard. */
  set(name: string, state: MachinePowerState, signal: AbortSignal): Promise<void>;
  /** Asks the operating system to shut down; whether it does is its own affair. */
  requestShutdown(name: string, signal: AbortSignal): Promise<void>;
  /** Restarts what is on, hard. A Fault `state_conflict` where it is off. */
  reset(name: string, signal: AbortSignal): Promise<void>;
}

export interface Systems {
  /** Beside the one that it runs, which goes on. A Fault `nothing_free`, and nothing made, where the node has no room. */
  build(name: string, system: SystemBuild, signal: AbortSignal): Promise<void>;
  /** The one that it boots. */
  current(name: string, signal: AbortSignal): Promise<string>;
  /** The machine must be off. At no moment of it has the machine no system. */
  use(name: string, id: string, signal: AbortSignal): Promise<void>;
  /** Removes every system but the one that it boots. */
  tidy(name: string, signal: AbortSignal): Promise<void>;
}

export interface MachineMedia {
  /** Where the image stands, as the catalogue says: a path on the node, or a volume. */
  insert(name: string, image: string, signal: AbortSignal): Promise<void>;
  eject(name: string, signal: AbortSignal): Promise<void>;
}

export interface MachineBoot {
  /** What the next boot is from, that one alone. */
  setNext(name: string, target: MachineBootTarget, signal: AbortSignal): Promise<void>;
}

/** Inside the machine, which must be on where its agent has to do it: a Fault `state_conflict` else. */
export interface Guest {
  setHostname(name: string, hostname: string, signal: AbortSignal): Promise<void>;
  setPassword(name: string, password: string, signal: AbortSignal): Promise<void>;
}

export interface Tun {
  /** Takes effect at once or at the next boot. */
  set(name: string, state: 'enabled' | 'disabled', signal: AbortSignal): Promise<void>;
}

/** A graphical console: RFB as the node speaks it, from its first byte. The node's own password is good for this one. */
export interface Screen {
  open(name: string, signal: AbortSignal): Promise<{ readonly stream: Duplex; readonly password: string | undefined }>;
}

/** A text console: what the machine prints, and what is typed. */
export interface TextConsole {
  open(name: string, signal: AbortSignal): Promise<Duplex>;
}

/** Bytes; undefined where the node cannot tell. Traffic counts from the machine's start. */
export interface MachineUse {
  readonly memoryUsed: number | undefined;
  readonly memoryTotal: number;
  readonly diskUsed: number | undefined;
  readonly diskTotal: number;
  readonly received: number | undefined;
  readonly sent: number | undefined;
}
export interface MachineStatistics {
  read(name: string, signal: AbortSignal): Promise<MachineUse>;
}

/** What is left on a node, for placement. A cluster says what it has all together and places by itself. */
export interface Room {
  readonly memoryMb: number;
  readonly diskGb: number;
}

export interface Hypervisor extends AsyncDisposable {
  readonly machines: Machines;
  readonly power: MachinePower;
  readonly systems: Systems;
  readonly guest: Guest;
  readonly statistics: MachineStatistics;
  readonly media?: MachineMedia;
  readonly boot?: MachineBoot;
  readonly tun?: Tun;
  readonly screen?: Screen;
  readonly text?: TextConsole;
  room(signal: AbortSignal): Promise<Room>;
}
export type HypervisorCapability = Exclude<keyof Hypervisor, symbol | 'room'>;

/** Which templates of the legacy interface a node takes: full machines or containers. */
export type MachineKind = 'Xen' | 'OpenVZ';

export interface HypervisorDriver<S extends TSchema = TSchema> {
  readonly name: string;
  readonly settings: S;
  readonly kinds: readonly MachineKind[];
  open(settings: Static<S>): Promise<Hypervisor>;
}

export function need<C extends HypervisorCapability>(node: Hypervisor, capability: C): NonNullable<Hypervisor[C]> {
  const part = node[capability];
  if (part === undefined) throw missing(capability);
  return part as NonNullable<Hypervisor[C]>;
}

/** Also for a driver that learns only from the node's answer what it lacks. */
export function missing(capability: HypervisorCapability, detail: Pick<FaultDetail, 'cause' | 'internal'> = {}): Fault {
  return new Fault('capability_missing', { ...detail, message: `This machine has no ${capability}.` });
}
