// Tables of serial consoles.

export interface SerialLineTable {
  server: string;
  holder: string | null;
  /** For holders that are not in `serial_holders`, which are of an earlier release. */
  held_until: number;
  /** An instance that has a viewer and waits for the console. */
  wanted_by: string | null;
  wanted_until: number;
}

/** An instance that holds serial consoles, all of them until the same time. */
export interface SerialHolderTable {
  instance: string;
  held_until: number;
}

/** Where earlier releases kept the output, in one piece. */
export interface SerialHistoryTable {
  server: string;
  service_id: number;
  output: Buffer;
}

/** A block of the last output of a serial console. It belongs to the service that had the server at the time. */
export interface SerialOutputTable {
  server: string;
  /** A new block replaces the oldest. */
  slot: number;
  service_id: number;
  /** In the order of output. */
  number: number;
  /** Sealed. */
  output: Buffer;
}
