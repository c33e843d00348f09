// The server behind a lab BMC: its power, its boot flags, and a log of every control, by which tests verify how often
// something ran.

import type { BootDevice, BootFlags } from '#protocols/ipmi/commands/boot.ts';
import { chassisControls, type ChassisControl } from '#protocols/ipmi/commands/chassis.ts';
import type { PowerState } from '#protocols/ipmi/power.ts';

export interface ChassisEvent {
  atMs: number;
  text: string;
}

export interface ChassisParts {
  power: PowerState;
  bootFlags: BootFlags;
  /** How long a power cycle stays off, and how long the operating system takes to shut down. */
  cycleOffMs: number;
  softOffMs: number;
  onBoot(device: BootDevice): void;
  onShutdown(): void;
  onPowerOff(): void;
  onChange(): void;
}

export const noBootFlags: BootFlags = { isValid: false, device: 'none', isPersistent: false, isUefi: false };

const maxEvents = 10_000;

export class Chassis {
  readonly counts: Record<ChassisControl, number>;
  readonly events: ChassisEvent[] = [];
  heedsPowerButton = true;

  readonly #parts: ChassisParts;
  #power: PowerState;
  #bootFlags: BootFlags;
  #pending: NodeJS.Timeout | undefined;

  constructor(parts: ChassisParts) {
    this.#parts = parts;
    this.#power = parts.power;
    this.#bootFlags = parts.bootFlags;
    this.counts = Object.fromEntries(Object.keys(chassisControls).map((name) => [name, 0])) as typeof this.counts;
  }

  get power(): PowerState {
    return this.#power;
  }

  get bootFlags(): BootFlags {
    return this.#bootFlags;
  }

  set bootFlags(flags: BootFlags) {
    this.#bootFlags = flags;
    this.#note(`boot device ${flags.device}`);
    this.#parts.onChange();
  }

  /** Runs a control. Returns false if it is not possible in the current power state. */
  control(control: ChassisControl): boolean {
    const needsPower = control !== 'on' && control !== 'off';
    if (needsPower && this.#power === 'off') return false;
    this.counts[control]++;
    this.#note(`control ${control}`);
    if (control !== 'soft') clearTimeout(this.#pending);
    if (control === 'on') this.turnOn();
    if (control === 'off') this.turnOff();
    if (control === 'reset') this.#boot();
    if (control === 'soft') this.#shutDown();
    if (control === 'cycle') {
      this.turnOff();
      this.#pending = setTimeout(() => this.turnOn(), this.#parts.cycleOffMs);
    }
    return true;
  }

  turnOn(): void {
    if (this.#power === 'on') return;
    this.#setPower('on');
    this.#boot();
  }

  turnOff(): void {
    clearTimeout(this.#pending);
    if (this.#power === 'off') return;
    this.#setPower('off');
    this.#parts.onPowerOff();
  }

  /** Reboots on request of the operating system. */
  restart(): void {
    if (this.#power === 'on') this.#boot();
  }

  close(): void {
    clearTimeout(this.#pending);
  }

  #shutDown(): void {
    if (!this.heedsPowerButton) return;
    this.#parts.onShutdown();
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => this.turnOff(), this.#parts.softOffMs);
  }

  #boot(): void {
    const flags = this.#bootFlags;
    const device = flags.isValid && flags.device !== 'none' ? flags.device : 'disk';
    if (flags.isValid && !flags.isPersistent) this.bootFlags = noBootFlags;
    this.#note(`boot from ${device}`);
    this.#parts.onBoot(device);
  }

  #setPower(power: PowerState): void {
    this.#power = power;
    this.#note(`power ${power}`);
    this.#parts.onChange();
  }

  #note(text: string): void {
    this.events.push({ atMs: Date.now(), text });
    if (this.events.length > maxEvents) this.events.shift();
  }
}
