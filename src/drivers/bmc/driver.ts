// The interface of BMC drivers. A BMC is composed of small parts; one that it lacks is an absent property, and using it
// is a 422 that names it. Every call takes a signal and has a deadline, and setting a state that already applies
// succeeds.
import type { Duplex } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { LogSeverity, SensorHealth, SensorKind } from '#contract/shapes/sensors.ts';
import type { Firmware } from '#contract/site/boot.ts';
import { ApiError, type ApiErrorDetail } from '#lib/api-error.ts';
import type { DriverWaits } from '../waits.ts';

export type PowerState = 'on' | 'off';
export type BootTarget = 'pxe' | 'cdrom' | 'bios' | 'disk' | 'none';

export interface Power {
  state(signal: AbortSignal): Promise<PowerState>;
  /** Resolves once the BMC reports the state. */
  set(state: PowerState, signal: AbortSignal): Promise<void>;
  /** Restarts the server without cutting its power. Rejects with `state_conflict` if it is off. */
  reset(signal: AbortSignal): Promise<void>;
  /** Asks the operating system to shut down; it may ignore the request. */
  requestShutdown(signal: AbortSignal): Promise<void>;
}

export interface Boot {
  /** Applies to the next boot only; `none` clears the choice. */
  setNext(target: BootTarget, signal: AbortSignal): Promise<void>;
}

/** Names are unique. A user without a name or with one that is taken is listed as `slot 3`, by which it can be removed. */
export interface Users {
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** Creates a user with operator privilege. Rejects with `nothing_free` if there is no free slot. */
  create(name: string, password: string, signal: AbortSignal): Promise<void>;
  setPassword(name: string, password: string, signal: AbortSignal): Promise<void>;
  /**
   * A disabled user cannot log in, keeps password and privilege, and loses open sessions. Rejects with
   * `capability_missing` if the BMC cannot disable users.
   */
  setEnabled(name: string, isEnabled: boolean, signal: AbortSignal): Promise<void>;
  /** Also ends the user's open sessions. Rejects if one stays open. */
  remove(name: string, signal: AbortSignal): Promise<void>;
}

export interface SerialLine extends AsyncDisposable {
  write(data: Buffer): Promise<void>;
  sendBreak(): Promise<void>;
  close(): Promise<void>;
}
export interface SerialListener {
  onData(data: Buffer): void;
  /** Called at most once, when the other side ends the line. */
  onEnd(reason: Error): void;
}
export interface Serial {
  /** There is one line per server; `whenTaken` decides whether another session is disconnected. */
  open(listener: SerialListener, whenTaken: 'fail' | 'takeOver', signal: AbortSignal): Promise<SerialLine>;
}

/** A drive that the server sees as its own and that the BMC serves from a URL. */
export interface VirtualMedia {
  /** Ejects the current image and inserts the new one; resolves once the BMC reports it. */
  insert(url: string, signal: AbortSignal): Promise<void>;
  eject(signal: AbortSignal): Promise<void>;
  /** Returns the URL of the inserted image, or undefined if the drive is empty. */
  currentImage(signal: AbortSignal): Promise<string | undefined>;
}

export interface Inventory {
  /** Descriptions by category (Motherboard, Chassis, …). */
  read(signal: AbortSignal): Promise<Readonly<Record<string, readonly string[]>>>;
  /** MAC addresses of the server's own ports, in lower case, if the BMC knows them. */
  macs?(signal: AbortSignal): Promise<readonly string[]>;
  /** Firmware versions by component, such as `bmc` and `bios`. */
  firmware?(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

export interface SensorReading {
  /** Unique among the sensors of a server. */
  readonly name: string;
  readonly kind: SensorKind;
  /** Undefined if the sensor has states instead, or if the BMC has no reading. */
  readonly value: number | undefined;
  readonly unit: string;
  readonly health: SensorHealth;
  /** The problem, in the words of the BMC; empty if there is none. */
  readonly detail: string;
  /** Values below or above these are critical. */
  readonly low: number | undefined;
  readonly high: number | undefined;
}
export interface Sensors {
  /** A reading that the BMC does not have is `unknown`, not left out. */
  read(signal: AbortSignal): Promise<readonly SensorReading[]>;
}

/** The event log of the BMC. */
export interface Log {
  /**
   * Returns the entries after a position, the oldest first, perhaps not all at once. Without a position, returns none and
   * the position of the last one. If the log was cleared or has overwritten the position, all its entries are new.
   */
  read(after: string | undefined, signal: AbortSignal): Promise<LogPage>;
}
export interface LogPage {
  readonly entries: readonly NewLogEntry[];
  readonly position: string;
  readonly hasMore: boolean;
}
export interface NewLogEntry {
  /** In milliseconds, by the clock of the BMC; undefined if that is not set. */
  readonly at: number | undefined;
  readonly severity: LogSeverity;
  readonly text: string;
}

export interface Controller {
  /** Restarts the BMC itself while the server keeps running. Resolves once the restart has begun. */
  reset(signal: AbortSignal): Promise<void>;
}

export interface Consoles {
  /** Ends every console session on the BMC, whoever opened it: the serial line and the remote screens that it lists. */
  reset(signal: AbortSignal): Promise<void>;
}

/** The BMC's own web page. */
export interface WebPage {
  /** For the Host header. */
  readonly host: string;
  /** Opens a connection and verifies the BMC's certificate. */
  connect(signal: AbortSignal): Promise<Duplex>;
  /** Signs a user in. Returns what the browser or its requests need: cookies as the BMC sets them, or a token. */
  signIn(username: string, password: string, signal: AbortSignal): Promise<WebSignIn>;
}
export interface WebSignIn {
  readonly cookies: readonly string[];
  readonly token: string | undefined;
}

export interface Bmc extends AsyncDisposable {
  readonly power: Power;
  readonly boot?: Boot;
  readonly users?: Users;
  readonly serial?: Serial;
  readonly media?: VirtualMedia;
  readonly inventory?: Inventory;
  readonly sensors?: Sensors;
  readonly log?: Log;
  readonly controller?: Controller;
  readonly consoles?: Consoles;
  readonly web?: WebPage;
}
export type BmcCapability = Exclude<keyof Bmc, symbol>;

/** Facts about the server behind a BMC. */
export interface ServerHints {
  /** Defaults to what the BMC reports, or to BIOS if it does not. */
  readonly firmware?: Firmware;
  readonly waits?: DriverWaits;
}

/** `maxPasswordLength` is the longest that every BMC of this driver supports. */
export interface BmcDriver<S extends TSchema = TSchema> {
  readonly settings: S;
  readonly maxPasswordLength: number;
  open(settings: Static<S>, server?: ServerHints): Promise<Bmc>;
}

export function requireCapability<C extends BmcCapability>(bmc: Bmc, capability: C): NonNullable<Bmc[C]> {
  const part = bmc[capability];
  if (part === undefined) throw missingCapability(capability);
  return part as NonNullable<Bmc[C]>;
}

/** Returns undefined if the BMC lacks what the call needs. */
export async function ignoreMissing<T>(call: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'capability_missing') return undefined;
    throw error;
  }
}

const capabilityLabels: Readonly<Record<BmcCapability, string>> = {
  power: 'power control',
  boot: 'boot device selection',
  users: 'users',
  serial: 'a serial console',
  media: 'virtual media',
  inventory: 'a hardware inventory',
  sensors: 'sensors',
  log: 'an event log',
  controller: 'a controller reset',
  consoles: 'a console reset',
  web: 'a web console',
};

/** Returns the part with the errors of its methods translated. */
export function translateErrors<Methods extends object>(
  part: Methods,
  translate: (error: unknown) => unknown,
): Methods {
  const methods = Object.entries(part).map(([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => {
    const translated = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await method(...args);
      } catch (error) {
        throw translate(error);
      }
    };
    return [name, translated];
  });
  return Object.fromEntries(methods) as Methods;
}

/** Also for drivers that learn what is missing from a response. */
export function missingCapability(
  capability: BmcCapability,
  detail: Pick<ApiErrorDetail, 'cause' | 'internal'> = {},
): ApiError {
  return new ApiError('capability_missing', {
    ...detail,
    message: `The BMC of this server does not support ${capabilityLabels[capability]}.`,
  });
}
