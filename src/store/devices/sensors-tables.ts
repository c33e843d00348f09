// Tables of sensors and event logs of BMCs.
import type { Generated } from 'kysely';
import type { LogSeverity } from '#contract/shapes/sensors.ts';

/** The last readings of a server. They are current only if `error` is null. */
export interface ServerSensorsTable {
  server: string;
  /** The service that had the server when it was last read; null if none did. */
  service_id: number | null;
  /** A list of `StoredReading`, as JSON. */
  readings: string;
  /** When the readings were stored; null if there are none. */
  read_at: number | null;
  /** The error of the last check; null if it succeeded. */
  error: string | null;
  /** A list of `Fault`, as JSON. */
  faults: string;
  fault_count: number;
  /** For the metrics: the highest temperature, the slowest fan and the power draw. */
  celsius: number | null;
  rpm: number | null;
  watts: number | null;
  /** The temperature of the air that the server draws in; null if no sensor measures it. */
  inlet_celsius: Generated<number | null>;
  /** Of the last entry of the event log that was read; null if none was. */
  log_position: string | null;
}

export interface ServerLogTable {
  id: Generated<number>;
  server: string;
  /** The service that had the server since an earlier check; null if none did. */
  service_id: number | null;
  /** By the clock of the BMC; null if that was not set. */
  at: number | null;
  seen_at: number;
  severity: LogSeverity;
  text: string;
}
