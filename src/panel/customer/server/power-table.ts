// What can be done with the power of a device, in which state it cannot, and what it costs.
import type { DevicePowerSetInput } from '#sdk/v2.ts';

export type PowerAction = DevicePowerSetInput['action'];
export type PowerState = 'on' | 'off' | 'unknown';

interface PowerRow {
  readonly label: string;
  readonly done: string;
  /** Why not, by the state in which it cannot act. In an unknown state the device itself decides. */
  readonly against: Partial<Record<PowerState, string>>;
  /** What is lost on a physical server and on a virtual machine; undefined where nothing is. */
  readonly cost?: { readonly server: string; readonly machine: string };
}

const unsaved = 'What its system has not written to disk is lost.';

export const powerTable = {
  on: { label: 'Switch on', done: 'It is switched on.', against: { on: 'It is on already.' } },
  off: {
    label: 'Switch off',
    done: 'It is switched off.',
    against: { off: 'It is off already.' },
    cost: {
      server: `The power is cut at once. ${unsaved}`,
      machine: 'Its system is asked to shut down, and has fifteen seconds before the power is cut.',
    },
  },
  reboot: {
    label: 'Reboot',
    done: 'It reboots.',
    against: { off: 'It is off: there is nothing to reboot.' },
    cost: {
      server: `It is reset at once, without a shutdown. ${unsaved}`,
      machine: 'Its system is asked to shut down first, and has fifteen seconds for it.',
    },
  },
  cycle: {
    label: 'Power cycle',
    done: 'It was switched off and on again.',
    against: {},
    cost: {
      server: `The power is cut, and comes back after two seconds. ${unsaved}`,
      machine: 'It is switched off and on again: a cold start, with its devices made anew.',
    },
  },
} as const satisfies Record<PowerAction, PowerRow>;

export const powerActions = Object.keys(powerTable) as PowerAction[];

export function powerRow(action: PowerAction): PowerRow {
  return powerTable[action];
}
