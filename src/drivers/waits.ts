// How long a driver waits for its device. Signals end calls too: these are for what a driver decides on its own.

export interface DriverWaits {
  /** Of one request, repetitions included; undefined for the default of its protocol. */
  readonly responseMs: number | undefined;
  /** Of a whole command. */
  readonly commandMs: number;
}

export const defaultDriverWaits: DriverWaits = { responseMs: undefined, commandMs: 8000 };
