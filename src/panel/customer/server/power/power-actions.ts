// The power actions: labels, the states in which they are unavailable, and what each one costs.
import type { DevicePowerSetInput } from '#sdk/v2.ts';
import { t } from '../../../text/text.ts';

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

export const powerActionInfo: Readonly<Record<PowerAction, PowerActionInfo>> = {
  on: { label: t('Power on'), doneMessage: t('Powered on'), unavailable: { on: t('Already powered on.') } },
  shutdown: {
    label: t('Shut down'),
    doneMessage: t('Shutdown requested'),
    unavailable: { off: t('Already powered off.') },
    consequence: {
      server: t('The operating system is asked to shut down. It may ignore the request: the power is not cut.'),
      machine: t('The operating system is asked to shut down. It may ignore the request: the machine is not stopped.'),
    },
  },
  off: {
    label: t('Power off'),
    doneMessage: t('Powered off'),
    unavailable: { off: t('Already powered off.') },
    consequence: {
      server: t('The power is cut immediately. Unsaved data is lost.'),
      machine: t(
        'The operating system is asked to shut down. If it has not done so after 15 seconds, the power is cut.',
      ),
    },
  },
  reboot: {
    label: t('Reboot'),
    doneMessage: t('Rebooting'),
    unavailable: { off: t('Powered off. Power it on instead.') },
    consequence: {
      server: t('The server is reset immediately, without a shutdown. Unsaved data is lost.'),
      machine: t('The operating system is asked to shut down first, and has 15 seconds to do so.'),
    },
  },
  cycle: {
    label: t('Power cycle'),
    doneMessage: t('Power cycled'),
    unavailable: {},
    consequence: {
      server: t('The power is cut and restored after two seconds. Unsaved data is lost.'),
      machine: t('The machine is stopped and started again: a cold boot with freshly created virtual hardware.'),
    },
  },
};

export const powerActions = Object.keys(powerActionInfo) as PowerAction[];
