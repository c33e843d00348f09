// A machine of a lab hypervisor: persistent state, a serial console with a login, and a screen that shows the console.
import { SerialConsole, type LabBoot } from '../bmc/serial.ts';
import { templateName } from './templates.ts';
import { createTextScreen, type TextScreen } from './text-screen.ts';

export interface LabSystem {
  readonly template: string;
  hostname: string;
  rootPassword: string;
  readonly addresses: readonly unknown[];
  readonly nameServers: readonly unknown[];
  readonly sshKeys?: readonly unknown[];
  readonly userData?: string;
  /** A sample of its disk. */
  content?: string;
  /** False if its build was interrupted, which makes it unusable. */
  isWhole: boolean;
}
/** Also of a machine that no longer boots the system. */
export interface LabSnapshot {
  readonly system: LabSystem;
  readonly isConsistent: boolean;
  readonly sizeGb: number;
}
/** A template made from a snapshot. */
export interface LabImage {
  readonly template: string;
  readonly content?: string;
  readonly sizeGb: number;
}
/** Plain data that survives a restart of the lab. */
export interface LabVolume {
  sizeGb: number;
  /** The machine that has it. */
  machine?: string;
  /** A sample of its content, and copies of it by id. */
  content?: string;
  copies?: Record<string, string>;
}

export type LabBootTarget = 'pxe' | 'cdrom' | 'disk';

/** Plain data. */
export interface LabMachineState {
  shape: LabShape;
  power: 'on' | 'off';
  readonly systems: Record<string, LabSystem>;
  /** By id. */
  snapshots?: Record<string, LabSnapshot>;
  current: string;
  tun: 'enabled' | 'disabled';
  /** The state that the running system keeps until it starts again. */
  oldTun?: 'enabled' | 'disabled';
  /** The blocks whose addresses it may use; all if it has none. */
  networks?: readonly unknown[];
  image?: string;
  nextBoot?: LabBootTarget;
}
export interface LabShape {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly mac: string;
}

export interface LabMachineParts {
  readonly bootMs: number;
  readonly softOffMs: number;
  now(): number;
  heedsShutdown(): boolean;
  onChange(): void;
}

export interface LabVirtualMachine {
  readonly name: string;
  readonly state: LabMachineState;
  readonly serial: SerialConsole;
  readonly screen: TextScreen;
  /** The device of the current boot. */
  readonly bootedFrom: LabBootTarget;
  readonly startedAtMs: number;
  system(): LabSystem;
  setPower(power: 'on' | 'off'): void;
  restart(): void;
  requestShutdown(): void;
  /** Restarts the operating system, as Ctrl+Alt+Del does. */
  requestRestart(): void;
  /** Applies and saves changes of its settings. */
  refresh(): void;
  close(): void;
}

export function openMachine(name: string, state: LabMachineState, parts: LabMachineParts): LabVirtualMachine {
  const screen = createTextScreen(name);
  let bootedFrom: LabBootTarget = 'disk';
  let startedAtMs = parts.now();
  let stopping: NodeJS.Timeout | undefined;
  const system = (): LabSystem => state.systems[state.current]!;
  const serial = new SerialConsole({
    get hostname() {
      return system().hostname;
    },
    get system() {
      return templateName(system().template);
    },
    machine: { cores: state.shape.vcpus, memoryMb: state.shape.memoryMb, diskGb: state.shape.diskGb },
    rootPassword: system().rootPassword,
    bootMs: parts.bootMs,
    onBoot: (boot) =>
      boot.device === 'cdrom' && state.image !== undefined ? bootFromImage(boot, state.image) : undefined,
    onReboot: () => boot(),
    onPowerOff: () => setPower('off'),
  });
  serial.listen((text) => screen.print(text));

  const boot = (): void => {
    bootedFrom = state.nextBoot ?? 'disk';
    delete state.nextBoot;
    delete state.oldTun;
    startedAtMs = parts.now();
    screen.clear();
    serial.rootPassword = system().rootPassword;
    serial.boot(bootedFrom);
  };
  const setPower = (power: 'on' | 'off'): void => {
    clearTimeout(stopping);
    if (state.power === power) return;
    state.power = power;
    if (power === 'on') boot();
    else clearOutput();
    parts.onChange();
  };
  const restart = (): void => {
    clearTimeout(stopping);
    boot();
    parts.onChange();
  };
  const clearOutput = (): void => {
    serial.powerOff();
    screen.clear();
  };
  if (state.power === 'on') boot();

  return {
    name,
    state,
    serial,
    screen,
    get bootedFrom() {
      return bootedFrom;
    },
    get startedAtMs() {
      return startedAtMs;
    },
    system,
    setPower,
    restart,
    requestShutdown() {
      if (state.power === 'off' || !parts.heedsShutdown()) return;
      serial.shutDown();
      clearTimeout(stopping);
      stopping = setTimeout(() => setPower('off'), parts.softOffMs);
    },
    requestRestart() {
      if (state.power === 'off' || !parts.heedsShutdown()) return;
      serial.shutDown();
      restart();
    },
    refresh() {
      serial.rootPassword = system().rootPassword;
      parts.onChange();
    },
    close() {
      clearTimeout(stopping);
      serial.powerOff();
    },
  };
}

/** The installer's menu waits for input until the machine is powered off. */
async function bootFromImage({ print }: LabBoot, image: string): Promise<'login'> {
  print(`\r\nBooting from DVD/CD...\r\nISOLINUX: ${image}\r\nPress Enter to install\r\nboot: `);
  return new Promise<'login'>(() => {});
}
