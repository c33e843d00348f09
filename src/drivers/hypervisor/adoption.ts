// The part of a hypervisor for machines that it had before Hostyard, and their names.

export interface Adoption {
  /** `name` is the machine's name on the hypervisor. Rejects with `not_found` if there is none that the driver can run. */
  inspect(name: string, signal: AbortSignal): Promise<ForeignMachine>;
}
export interface ForeignMachine {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  /** Of its first network card, in lower case; undefined if it has none. */
  readonly mac: string | undefined;
  /** Limitations of adopting it, in sentences. */
  readonly limitations: readonly string[];
}

/** Adopted machines have other names on their hypervisor than in Hostyard. Everything that a driver creates has Hostyard's. */
export interface MachineNames {
  /** Returns the name on the hypervisor. Rejects with `state_conflict` if another machine of Hostyard has it there. */
  onHypervisor(machine: string): Promise<string>;
  /** Returns the names in Hostyard of the adopted machines, by their names on the hypervisor. */
  adopted(): Promise<ReadonlyMap<string, string>>;
}
export const sameNames: MachineNames = { onHypervisor: async (name) => name, adopted: async () => new Map() };
