// The disks of a lab server, which keep what is written to them until they are erased.
export interface LabDisk {
  readonly serial: string;
  readonly sizeGb: number;
}

export interface LabDiskMalfunctions {
  /** Serial numbers of disks that cannot be erased. */
  failingDisks?: readonly string[];
  /** Serial numbers of disks that were removed. */
  missingDisks?: readonly string[];
}

/** The first disk's contents when a server is delivered. */
const factorySystem = 'Debian GNU/Linux 12';

export class LabDisks {
  malfunctions: LabDiskMalfunctions = {};
  readonly #disks: readonly LabDisk[];
  readonly #contents: Map<string, string>;
  readonly #onChange: () => void;

  constructor(disks: readonly LabDisk[], stored: Readonly<Record<string, string>> | undefined, onChange: () => void) {
    this.#disks = disks;
    this.#contents = new Map(Object.entries(stored ?? (disks[0] ? { [disks[0].serial]: factorySystem } : {})));
    this.#onChange = onChange;
  }

  /** The disks in the order of their kernel names: sda, sdb. */
  get present(): readonly LabDisk[] {
    return this.#disks.filter(({ serial }) => this.malfunctions.missingDisks?.includes(serial) !== true);
  }

  /** Also returns true for a server without simulated disks. */
  get canBoot(): boolean {
    const [first] = this.present;
    return this.#disks.length === 0 || (first !== undefined && this.read(first) !== '');
  }

  read({ serial }: LabDisk): string {
    return this.#contents.get(serial) ?? '';
  }

  write({ serial }: LabDisk, text: string): void {
    this.#contents.set(serial, text);
    this.#onChange();
  }

  /** Returns false if the disk keeps its content. */
  erase(disk: LabDisk): boolean {
    if (this.malfunctions.failingDisks?.includes(disk.serial) === true) return false;
    this.write(disk, '');
    return true;
  }

  /** Returns the contents by serial number. */
  state(): Record<string, string> {
    return Object.fromEntries(this.#contents);
  }
}
