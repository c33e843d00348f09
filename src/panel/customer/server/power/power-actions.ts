// The power actions: labels, the states in which they are unavailable, and what each one costs.
import type { DevicePowerSetInput } from '#sdk/v2.ts';

/** A shutdown is a separate operation. */
export type PowerAction = DevicePowerSetInput['action'] | 'shutdown';
export type PowerState = 'on' | 'off' | 'unknown';

interface PowerActionInfo {
  readonly label: string;
  readonly doneMessage: string;
  /** Why the action is unavailable, by power state. In an unknown state the device itself decides. */
  readonly unavailable: Partial<Record<PowerState, string>>;
  /** Shown before the action runs; undefined if it loses no data. */
  readonly consequence?: { readonly server: string; readonly machine: string };
}

const unsaved = 'Unsaved data is lost.';

export const powerActionInfo: Readonly<Record<PowerAction, PowerActionInfo>> = {
  on: { label: 'Power on', doneMessage: 'Powered on', unavailable: { on: 'Already powered on.' } },
  shutdown: {
    label: 'Shut down',
    doneMessage: 'Shutdown requested',
    unavailable: { off: 'Already powered off.' },
    consequence: {
      server: 'The operating system is asked to shut down. It may ignore the request: the power is not cut.',
      machine: 'The operating system is asked to shut down. It may ignore the request: the machine is not stopped.',
    },
  },
  off: {
    label: 'Power off',
    doneMessage: 'Powered off',
    unavailable: { off: 'Already powered off.' },
    consequence: {
      server: `The power is cut immediately. ${unsaved}`,
      machine: 'The operating system is asked to shut down. If it has not done so after 15 seconds, the power is cut.',
    },
  },
  reboot: {
    label: 'Reboot',
    doneMessage: 'Rebooting',
    unavailable: { off: 'Powered off. Power it on instead.' },
    consequence: {
      server: `The server is reset immediately, without a shutdown. ${unsaved}`,
      machine: 'The operating system is asked to shut down first, and has 15 seconds to do so.',
    },
  },
  cycle: {
    label: 'Power cycle',
    doneMessage: 'Power cycled',
    unavailable: {},
    consequence: {
      server: `The power is cut and restored after two seconds. ${unsaved}`,
      machine: 'The machine is stopped and started again: a cold boot with freshly created virtual hardware.',
    },
  },
};

export const powerActions = Object.keys(powerActionInfo) as PowerAction[];
