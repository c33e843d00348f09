// Chassis status and chassis control.

import { action, decoder, nothing } from '../codec.ts';
import type { Command } from '../codec.ts';
import { netFn } from './net-fn.ts';

export const chassisControls = { off: 0, on: 1, cycle: 2, reset: 3, diagnostic: 4, soft: 5 } as const;
export type ChassisControl = keyof typeof chassisControls;

export const restorePolicies = ['stayOff', 'asBefore', 'turnOn', 'unknown'] as const;
export type RestorePolicy = (typeof restorePolicies)[number];

export interface ChassisStatus {
  isPowerOn: boolean;
  /** Behaviour when mains power returns. */
  restorePolicy: RestorePolicy;
  hasPowerFault: boolean;
  hasPowerOverload: boolean;
  wasLastPowerOnByCommand: boolean;
  isIntrusionActive: boolean;
  hasDriveFault: boolean;
  hasCoolingFault: boolean;
}

export const getChassisStatus: Command<null, ChassisStatus> = {
  name: 'Get Chassis Status',
  netFn: netFn.chassis,
  code: 0x01,
  request: nothing,
  response: {
    encode: (status) =>
      Buffer.from([
        (status.isPowerOn ? 0x01 : 0) |
          (status.hasPowerOverload ? 0x02 : 0) |
          (status.hasPowerFault ? 0x08 : 0) |
          (restorePolicies.indexOf(status.restorePolicy) << 5),
        status.wasLastPowerOnByCommand ? 0x10 : 0,
        (status.isIntrusionActive ? 0x01 : 0) | (status.hasDriveFault ? 0x04 : 0) | (status.hasCoolingFault ? 0x08 : 0),
      ]),
    decode: decoder((reader) => {
      const power = reader.u8();
      const lastEvent = reader.u8();
      const others = reader.u8();
      return {
        isPowerOn: (power & 0x01) !== 0,
        restorePolicy: restorePolicies[(power >> 5) & 3] ?? 'unknown',
        hasPowerOverload: (power & 0x02) !== 0,
        hasPowerFault: (power & 0x08) !== 0,
        wasLastPowerOnByCommand: (lastEvent & 0x10) !== 0,
        isIntrusionActive: (others & 0x01) !== 0,
        hasDriveFault: (others & 0x04) !== 0,
        hasCoolingFault: (others & 0x08) !== 0,
      };
    }),
  },
};

export const chassisControl = action<ChassisControl>('Chassis Control', netFn.chassis, 0x02, {
  encode: (control) => Buffer.from([chassisControls[control]]),
  decode: decoder((reader) => {
    const code = reader.u8() & 0x0f;
    return (Object.keys(chassisControls) as ChassisControl[]).find((name) => chassisControls[name] === code);
  }),
});
