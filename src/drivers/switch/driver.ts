// The interface of switch drivers: state and counters of ports, and enabling or disabling a port. Drivers throw
// `switch_unreachable` if the switch does not respond, so its state is unknown, and `switch_error` if the response is
// invalid or an error.
import type { Static, TSchema } from 'typebox';

export type AdminStatus = 'up' | 'down';

export interface PortState {
  readonly ifIndex: number;
  readonly name: string;
  /** The operator's name for the port; empty if it has none. */
  readonly alias: string;
  readonly adminStatus: AdminStatus;
  /** Follows the admin status within seconds. `unknown` is reported by the switch itself. */
  readonly operStatus: 'up' | 'down' | 'unknown';
  /** 0 if unknown. */
  readonly speedBitsPerSecond: number;
}

export interface PortCounters {
  readonly ifIndex: number;
  readonly inOctets: bigint;
  readonly outOctets: bigint;
}

export interface SwitchCounters {
  /** Hundredths of a second since the switch started, modulo 2^32. */
  readonly upTimeTicks: number;
  /** 32 on a switch without 64-bit counters. */
  readonly counterBits: 32 | 64;
  readonly ports: readonly PortCounters[];
}

export interface Switch extends AsyncDisposable {
  ports(signal: AbortSignal): Promise<readonly PortState[]>;
  port(ifIndex: number, signal: AbortSignal): Promise<PortState>;
  /** Reads the counters of all ports in few requests. */
  counters(signal: AbortSignal): Promise<SwitchCounters>;
  /** Resolves once the switch reports the status. Setting the current status succeeds. */
  setAdmin(ifIndex: number, status: AdminStatus, signal: AbortSignal): Promise<PortState>;
}

export interface SwitchDriver<S extends TSchema> {
  readonly settings: S;
  open(settings: Static<S>, signal: AbortSignal): Promise<Switch>;
}
