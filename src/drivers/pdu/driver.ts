// The interface of power strip (PDU) drivers: a second way to a server's power, for when its BMC does not respond. So their
// errors are those of the BMC: `bmc_unreachable` if the strip does not respond, and `bmc_error` if its response is invalid.
import type { Static, TSchema } from 'typebox';
import type { DriverWaits } from '../waits.ts';

export type OutletState = 'on' | 'off';

export interface Pdu extends AsyncDisposable {
  /** `unknown` is reported by the strip itself, or is a state between on and off. */
  state(outlet: string, signal: AbortSignal): Promise<OutletState | 'unknown'>;
  /** Resolves once the strip reports the state. Setting the current state succeeds. */
  set(outlet: string, state: OutletState, signal: AbortSignal): Promise<void>;
}

export interface PduDriver<S extends TSchema> {
  readonly settings: S;
  open(settings: Static<S>, waits?: DriverWaits): Promise<Pdu>;
}
