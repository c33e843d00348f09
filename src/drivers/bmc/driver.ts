// What Hostyard asks of a management controller. A controller is a composition of small parts; one that it lacks is a
// property that is absent, and asking for it is a 422 that names it. Every call takes a signal and ends by a deadline of its
// own; setting what is already so succeeds.
import type { Static, TSchema } from 'typebox';
import type { Firmware } from '#contract/site-boot.ts';
import { Fault, type FaultDetail } from '#kernel/fault.ts';

export type PowerState = 'on' | 'off';
export type BootTarget = 'pxe' | 'cdrom' | 'bios' | 'disk' | 'none';

export interface Power {
  state(signal: AbortSignal): Promise<PowerState>;
  /** Returns once the controller itself says that it is so. */
  set(state: PowerState, signal: AbortSignal): Promise<void>;
  /** Restarts the server without cutting its power. A Fault `state_conflict` where it is off. */
  reset(signal: AbortSignal): Promise<void>;
  /** Asks the operating system to shut down; whether it does is its own affair. */
  requestShutdown(signal: AbortSignal): Promise<void>;
}

export interface Boot {
  /** What the next boot is from, that one alone; `none` takes it back. */
  setNext(target: BootTarget, signal: AbortSignal): Promise<void>;
}

/** Names are unique on a controller. */
export interface Users {
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** With the privilege of an operator. A Fault `nothing_free` where there is no room. */
  create(name: string, password: string, signal: AbortSignal): Promise<void>;
  setPassword(name: string, password: string, signal: AbortSignal): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
}

export interface SerialLine extends AsyncDisposable {
  write(data: Buffer): Promise<void>;
  sendBreak(): Promise<void>;
  close(): Promise<void>;
}
export interface SerialListener {
  onData(data: Buffer): void;
  /** Once, when the line ends by itself. */
  onEnd(reason: Error): void;
}
export interface Serial {
  /** There is one line; `whenTaken` says what becomes of whoever has it. */
  open(listener: SerialListener, whenTaken: 'fail' | 'takeOver', signal: AbortSignal): Promise<SerialLine>;
}

/** A drive that the server sees as its own and the controller fills from a URL. */
export interface VirtualMedia {
  /** Returns once the controller itself says that it is in. What was in before is taken out. */
  insert(url: string, signal: AbortSignal): Promise<void>;
  eject(signal: AbortSignal): Promise<void>;
  /** Where that came from which is in now; undefined where the drive is empty. */
  inserted(signal: AbortSignal): Promise<string | undefined>;
}

export interface Inventory {
  /** Category (Motherboard, Chassis, …) to descriptions. */
  read(signal: AbortSignal): Promise<Readonly<Record<string, readonly string[]>>>;
  /** Hardware addresses of the server's own ports, 52:54:00:… in lower case, where the controller knows them. */
  macs?(signal: AbortSignal): Promise<readonly string[]>;
}

export interface Controller {
  /** Restarts the controller itself; the server runs on. Returns when it has gone to do so. */
  reset(signal: AbortSignal): Promise<void>;
}

export interface Bmc extends AsyncDisposable {
  readonly power: Power;
  readonly boot?: Boot;
  readonly users?: Users;
  readonly serial?: Serial;
  readonly media?: VirtualMedia;
  readonly inventory?: Inventory;
  readonly controller?: Controller;
}
export type BmcCapability = Exclude<keyof Bmc, symbol>;

/** What is known of the server behind a controller. */
export interface KnownServer {
  /** Left out: as the controller has it; BIOS where it does not tell. */
  readonly firmware?: Firmware;
}

/** The longest password that every controller of this driver takes. */
export interface BmcDriver<S extends TSchema = TSchema> {
  readonly name: string;
  readonly settings: S;
  readonly longestPassword: number;
  open(settings: Static<S>, server?: KnownServer): Promise<Bmc>;
}

export function need<C extends BmcCapability>(bmc: Bmc, capability: C): NonNullable<Bmc[C]> {
  const part = bmc[capability];
  if (part === undefined) throw missing(capability);
  return part as NonNullable<Bmc[C]>;
}

/** Also for a driver that learns only from the controller's answer what it lacks. */
export function missing(capability: BmcCapability, detail: Pick<FaultDetail, 'cause' | 'internal'> = {}): Fault {
  return new Fault('capability_missing', {
    ...detail,
    message: `The controller of this server has no ${capability}.`,
  });
}
