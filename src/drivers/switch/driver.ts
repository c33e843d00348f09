// The interface of switch drivers: state and counters of ports, and enabling or disabling a port. Drivers throw
// `switch_unreachable` if the switch does not respond, so its state is unknown, and `switch_error` if the response is
// invalid or an error.
//
// A switch may give its ports new numbers when it restarts or its hardware changes. So a port is recognised by a key, which
// is read together with its state or counters; the number only says where to look.
import type { Static, TSchema } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import type { DriverWaits } from '../waits.ts';

export type AdminStatus = 'up' | 'down';

/** The properties that identify a port. */
export type PortKeyKind = 'name' | 'description' | 'alias';

export interface PortKey {
  readonly by: PortKeyKind;
  readonly value: string;
}

export interface PortReference {
  readonly ifIndex: number;
  readonly key: PortKey;
}

export interface PortNames {
  readonly ifIndex: number;
  /** ifName, or ifDescr if the switch has no ifName. */
  readonly name: string;
  /** ifDescr. */
  readonly description: string;
  /** ifAlias, the operator's name for the port; empty if it has none. */
  readonly alias: string;
}

export interface PortState extends PortNames {
  readonly adminStatus: AdminStatus;
  /** Follows the admin status within seconds. `unknown` is reported by the switch itself. */
  readonly operStatus: 'up' | 'down' | 'unknown';
  /** 0 if unknown. */
  readonly speedBitsPerSecond: number;
}

export interface PortCounters extends PortNames {
  readonly inOctets: bigint;
  readonly outOctets: bigint;
  /** 32 for a port without 64-bit counters. */
  readonly counterBits: 32 | 64;
}

export interface SwitchCounters {
  /** Hundredths of a second since the switch started, modulo 2^32. */
  readonly upTimeTicks: number;
  readonly ports: readonly PortCounters[];
}

/** A device that announces itself at the other end of a cable. Customers control what their servers announce. */
export interface Neighbour {
  readonly ifIndex: number;
  readonly macs: readonly string[];
  /** Its name, and its name for the port at its end. */
  readonly system?: string;
  readonly port?: string;
}

/** Since the switch started, modulo 2^32; undefined if the switch does not count them. */
export interface PortErrors {
  readonly inErrors: number | undefined;
  readonly outErrors: number | undefined;
  readonly inDiscards: number | undefined;
  readonly outDiscards: number | undefined;
}

export interface SwitchInspection {
  /** The switch's own description, usually its model and software; empty if it has none. */
  readonly description: string;
  readonly upTimeTicks: number;
  readonly ports: readonly (PortState & PortErrors)[];
}

export interface Switch extends AsyncDisposable {
  ports(signal: AbortSignal): Promise<readonly PortState[]>;
  /** Throws a `PortMismatchError` if another port, or none, has this number. */
  port(port: PortReference, signal: AbortSignal): Promise<PortState>;
  /**
   * Reads the counters of all ports in few requests. Ports without 64-bit counters take further ones, so they are read only
   * if one of the wanted ports is among them. Descriptions and aliases are empty unless they are the key of a wanted port.
   */
  counters(wanted: readonly PortKey[], signal: AbortSignal): Promise<SwitchCounters>;
  /** Reads everything about all ports except traffic. Takes a request for each four ports. */
  inspect(signal: AbortSignal): Promise<SwitchInspection>;
  /** Empty if the switch does not know them. */
  neighbours(signal: AbortSignal): Promise<readonly Neighbour[]>;
  /**
   * Resolves once the switch reports the status. Setting the current status succeeds. Throws a `PortMismatchError`, and
   * changes nothing, if another port or none has this number.
   */
  setAdmin(port: PortReference, status: AdminStatus, signal: AbortSignal): Promise<PortState>;
}

export function hasKey(port: PortNames, { by, value }: PortKey): boolean {
  return port[by] === value;
}

/** Returns what the provider calls a port: its alias, or else its name or number. */
export function portLabel({ alias, name, ifIndex }: PortNames): string {
  return alias || name || String(ifIndex);
}

export class PortMismatchError extends ApiError {
  constructor(internal: string) {
    super('switch_error', { message: 'The port cannot be identified on the switch. Contact support.', internal });
  }
}

export interface SwitchDriver<S extends TSchema> {
  readonly settings: S;
  open(settings: Static<S>, waits?: DriverWaits): Promise<Switch>;
}
