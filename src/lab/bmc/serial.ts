// The serial console of a lab server: firmware and operating system output, and a login with a tiny shell. A boot hook
// can replace the boot, for network installations.

import { setTimeout as sleep } from 'node:timers/promises';
import { countText } from '#lib/count-text.ts';
import { cryptMatches } from '#lib/crypt-hash.ts';
import type { BootDevice } from '#protocols/ipmi/commands/boot.ts';
import { LabDisks } from '../disks.ts';
import { kernelVersion, systemTitle } from '../products.ts';

/** The result of a hook's boot. */
export type BootEnd = 'login' | 'reboot' | 'off';

/** How far a boot from the network has come. It survives a restart of the lab, as a real server's would. */
export interface NetworkBootProgress {
  /** Undefined before everything is loaded. */
  readonly work?: {
    readonly kind: 'install' | 'password' | 'rescue' | 'erase';
    /** Path of its files on the boot server, whose port may change. */
    readonly folder: string;
    readonly rootHash?: string;
    /** The name of the system; absent in boots of earlier versions. */
    readonly system?: string;
  };
  /** Completed parts of the installation. */
  readonly steps: number;
}

export interface LabBoot {
  device: BootDevice;
  print(text: string): void;
  /** Aborted when the server is powered off or reset. */
  signal: AbortSignal;
  /** Sets the root password of the system on disk, or of one in memory, which is lost at the next boot. */
  setRootHash(hash: string, where: 'disk' | 'memory', system?: string): void;
  disks: LabDisks;
  /** Undefined unless this boot continues after a restart of the lab. */
  resumed: NetworkBootProgress | undefined;
  saveProgress(progress: NetworkBootProgress): void;
}

/** Takes over a boot, or returns undefined to boot normally. */
export type BootHook = (boot: LabBoot) => Promise<BootEnd> | undefined;

/** What firmware and kernel report about the machine. */
export interface SerialMachine {
  readonly cores: number;
  readonly memoryMb: number;
  readonly diskGb: number;
}

export interface SerialParts {
  hostname: string;
  machine?: SerialMachine;
  /** The installed system; by default what the first disk contains. */
  system?: string;
  rootPassword: string;
  /** Password hash of an installed system, which overrides `rootPassword`. */
  rootHash?: string | undefined;
  /** From power on to the login prompt. */
  bootMs: number;
  onBoot: BootHook | undefined;
  disks?: LabDisks;
  onReboot(): void;
  onPowerOff(): void;
  onInstalled?(rootHash: string): void;
  onProgress?(progress: NetworkBootProgress): void;
}

type Input = 'ignored' | 'user' | 'password' | 'shell';

const maxLineCharacters = 256;
const sectorBytes = 512;
/** As the lab's site file describes its servers with IPMI. */
export const labServerMachine: SerialMachine = { cores: 4, memoryMb: 16_384, diskGb: 480 };

const bootMenus: Partial<Record<BootDevice, string[]>> = {
  pxe: [
    'Booting from ROM...',
    'iPXE 1.21.1 -- Open Source Network Boot Firmware',
    'net0: link up',
    'No more network devices',
  ],
  cdrom: ['Booting from DVD/CD...', 'Boot failed: Could not read from CDROM (code 0003)'],
};

const noDiskLines = ['Booting from Hard Disk...', 'No bootable device.'];

function firmwareLines({ cores, memoryMb }: SerialMachine): string[] {
  return [
    '',
    'Hostyard Lab BIOS 2.4',
    `CPU: 1 x ${countText(cores, 'core')}  Memory: ${memoryMb} MB OK`,
    'Press DEL to enter setup',
  ];
}

const systemLines = (system: string, { cores, diskGb }: SerialMachine): string[] => [
  'Booting from Hard Disk...',
  'GRUB loading.',
  `  Booting \`${system}'`,
  `Loading Linux ${kernelVersion(system)} ...`,
  `[    0.000000] Linux version ${kernelVersion(system)}`,
  '[    0.000000] Command line: BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro console=ttyS0,115200n8',
  `[    0.412031] smpboot: CPU0: ${countText(cores, 'core')}`,
  `[    1.207113] sd 0:0:0:0: [sda] ${Math.floor((diskGb * 1e9) / sectorBytes)} 512-byte logical blocks`,
  '[    1.633870] EXT4-fs (sda1): mounted filesystem with ordered data mode',
  '[    2.118540] systemd[1]: Reached target multi-user.target',
];

export class SerialConsole {
  rootPassword: string;
  readonly #parts: SerialParts;
  readonly #disks: LabDisks;
  readonly #listeners = new Set<(text: string) => void>();
  #running = new AbortController();
  #input: Input = 'ignored';
  #isAfterBreak = false;
  #line = '';
  #user = '';
  #diskHash: string | undefined;
  #memoryHash: string | undefined;
  #memorySystem: string | undefined;

  constructor(parts: SerialParts) {
    this.#parts = parts;
    this.#disks = parts.disks ?? new LabDisks([], undefined, () => {});
    this.rootPassword = parts.rootPassword;
    this.#diskHash = parts.rootHash;
  }

  listen(listener: (text: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  print(text: string): void {
    for (const listener of this.#listeners) listener(text);
  }

  boot(device: BootDevice, resumed?: NetworkBootProgress): void {
    this.powerOff();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const print = (text: string): void => {
      if (!signal.aborted) this.print(text);
    };
    this.#memoryHash = this.#memorySystem = undefined;
    const setRootHash: LabBoot['setRootHash'] = (hash, where, system) => {
      if (signal.aborted) return;
      if (where === 'memory') [this.#memoryHash, this.#memorySystem] = [hash, system];
      else this.#parts.onInstalled?.((this.#diskHash = hash));
    };
    const saveProgress = (progress: NetworkBootProgress): void => {
      if (!signal.aborted) this.#parts.onProgress?.(progress);
    };
    const boot = { device, print, signal, setRootHash, disks: this.#disks, resumed, saveProgress };
    const booting = this.#parts.onBoot?.(boot) ?? this.#bootNormally(device, signal);
    booting.then(
      (end) => {
        if (!signal.aborted) this.#finishBoot(end);
      },
      (error: unknown) => print(`\r\nKernel panic - not syncing: ${String(error)}\r\n`),
    );
  }

  shutDown(): void {
    this.#input = 'ignored';
    this.print('\r\n[  OK  ] Stopped target multi-user.target\r\n[  OK  ] Reached target poweroff.target\r\n');
  }

  powerOff(): void {
    this.#running.abort();
    this.#input = 'ignored';
    this.#isAfterBreak = false;
    this.#line = '';
  }

  type(bytes: Buffer): void {
    for (const character of bytes.toString('latin1')) this.#typeCharacter(character);
  }

  /** After a break, Linux passes the next key to the kernel (Magic SysRq). */
  break(): void {
    this.#isAfterBreak = this.#input !== 'ignored';
  }

  async #bootNormally(device: BootDevice, signal: AbortSignal): Promise<BootEnd> {
    const isSetup = device === 'bios';
    const { canBoot } = this.#disks;
    const { machine = labServerMachine } = this.#parts;
    const diskLines = canBoot ? systemLines(this.#system, machine) : noDiskLines;
    const menu = isSetup ? ['Entering setup'] : [...(bootMenus[device] ?? []), ...diskLines];
    const lines = [...firmwareLines(machine), ...menu];
    for (const line of lines) {
      await sleep(this.#parts.bootMs / lines.length, undefined, { signal }).catch(() => {});
      if (signal.aborted) return 'off';
      this.print(`${line}\r\n`);
    }
    // Both wait for input that never comes.
    return isSetup || !canBoot ? new Promise<BootEnd>(() => {}) : 'login';
  }

  get #system(): string {
    const [disk] = this.#disks.present;
    const onDisk = disk === undefined ? '' : this.#disks.read(disk);
    return systemTitle(this.#memorySystem ?? this.#parts.system ?? onDisk);
  }

  #finishBoot(end: BootEnd): void {
    if (end === 'reboot') this.#parts.onReboot();
    if (end === 'off') this.#parts.onPowerOff();
    if (end === 'login') {
      this.print(`\r\n${this.#system} ${this.#parts.hostname} ttyS0\r\n\r\n`);
      this.#askForUser();
    }
  }

  #askForUser(): void {
    this.#input = 'user';
    this.print(`${this.#parts.hostname} login: `);
  }

  #prompt(): void {
    this.#input = 'shell';
    this.print(`root@${this.#parts.hostname}:~# `);
  }

  #typeCharacter(character: string): void {
    if (this.#input === 'ignored') return;
    if (this.#isAfterBreak) {
      this.#sendToKernel(character);
      return;
    }
    if (character === '\r' || character === '\n') {
      const line = this.#line;
      this.#line = '';
      this.print('\r\n');
      this.#enter(line);
      return;
    }
    if (character === '\x7f' || character === '\b') {
      if (this.#line !== '' && this.#input !== 'password') this.print('\b \b');
      this.#line = this.#line.slice(0, -1);
      return;
    }
    if (character < ' ' || this.#line.length >= maxLineCharacters) return;
    this.#line += character;
    if (this.#input !== 'password') this.print(character);
  }

  #sendToKernel(key: string): void {
    this.#isAfterBreak = false;
    this.print(`\r\nsysrq: ${key === 'b' ? 'Resetting' : 'HELP : loglevel(0-9) reboot(b) crash(c) sync(s)'}\r\n`);
    if (key === 'b') this.#parts.onReboot();
  }

  #enter(line: string): void {
    if (this.#input === 'shell') {
      this.#run(line.trim());
      return;
    }
    if (this.#input === 'user') {
      if (line.trim() === '') {
        this.#askForUser();
        return;
      }
      this.#user = line.trim();
      this.#input = 'password';
      this.print('Password: ');
      return;
    }
    // The lab generates this password itself, so a constant-time comparison is not needed.
    const hash = this.#memoryHash ?? this.#diskHash;
    const isRight = hash === undefined ? line === this.rootPassword : cryptMatches(line, hash);
    if (this.#user === 'root' && isRight) {
      this.#prompt();
      return;
    }
    this.print('Login incorrect\r\n');
    this.#askForUser();
  }

  #run(line: string): void {
    const { hostname } = this.#parts;
    const [command = ''] = line.split(' ');
    const outputs: Record<string, string> = {
      uname: line === 'uname -a' ? `Linux ${hostname} ${kernelVersion(this.#system)} #1 SMP x86_64 GNU/Linux` : 'Linux',
      hostname,
      whoami: 'root',
    };
    if (command === 'reboot' || command === 'poweroff') {
      this.shutDown();
      if (command === 'reboot') this.#parts.onReboot();
      else this.#parts.onPowerOff();
      return;
    }
    if (this.#usesDisk(line)) {
      this.#prompt();
      return;
    }
    if (command === 'exit') {
      this.#askForUser();
      return;
    }
    if (command !== '')
      this.print(`${Object.hasOwn(outputs, command) ? outputs[command] : `-bash: ${command}: command not found`}\r\n`);
    this.#prompt();
  }

  /** Runs `echo TEXT > /dev/sda` and `cat /dev/sda`. */
  #usesDisk(line: string): boolean {
    const [, text, name] = /^(?:echo (.*) > |cat )\/dev\/sd([a-h])$/.exec(line) ?? [];
    const disk = name === undefined ? undefined : this.#disks.present['abcdefgh'.indexOf(name)];
    if (disk === undefined) return false;
    if (text === undefined) this.print(`${this.#disks.read(disk)}\r\n`);
    else this.#disks.write(disk, text);
    return true;
  }
}
