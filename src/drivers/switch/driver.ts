// What Hostyard asks of a switch: how its ports are, what they counted, and to switch one on or off. A driver throws
// Fault `switch_unreachable` where the switch did not answer, and what it would have said is then unknown; and
// `switch_error` where it answered wrongly or refused.
import type { Static, TSchema } from 'typebox';

export type AdminStatus = 'up' | 'down';

export interface PortState {
  readonly ifIndex: number;
  readonly name: string;
  /** What the operator calls the port; empty where it has no name. */
  readonly alias: string;
  readonly adminStatus: AdminStatus;
  /** Follows the admin status by some seconds. `unknown` is the switch's own word. */
  readonly operStatus: 'up' | 'down' | 'unknown';
  /** 0 where the switch does not know. */
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
  /** 32 on a switch that has no wider counters. */
  readonly counterBits: 32 | 64;
  readonly ports: readonly PortCounters[];
}

export interface Switch extends AsyncDisposable {
  ports(signal: AbortSignal): Promise<readonly PortState[]>;
  port(ifIndex: number, signal: AbortSignal): Promise<PortState>;
  /** The counters of all ports, in few requests. */
  counters(signal: AbortSignal): Promise<SwitchCounters>;
  /** Returns once the switch itself says that the port is so. Setting what is already so succeeds. */
  setAdmin(ifIndex: number, status: AdminStatus, signal: AbortSignal): Promise<PortState>;
}

export interface SwitchDriver<S extends TSchema> {
  readonly name: string;
  readonly settings: S;
  open(settings: Static<S>, signal: AbortSignal): Promise<Switch>;
}
