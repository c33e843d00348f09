// Chassis status and chassis control.
import { bits, byteOf, choice, command, flag, layout, netFn, nothing, single, type Decoded } from '../codec.ts';

export const chassisControls = { off: 0, on: 1, cycle: 2, reset: 3, diagnostic: 4, soft: 5 } as const;
export type ChassisControl = keyof typeof chassisControls;

/** Behaviour when mains power returns. */
export const restorePolicies = { stayOff: 0, asBefore: 1, turnOn: 2, unknown: 3 } as const;

const chassisStatus = layout(
  byteOf({
    isPowerOn: flag(0x01),
    hasPowerOverload: flag(0x02),
    hasPowerFault: flag(0x08),
    restorePolicy: choice(restorePolicies, bits(2, 5)),
  }),
  byteOf({ wasLastPowerOnByCommand: flag(0x10) }),
  byteOf({ isIntrusionActive: flag(0x01), hasDriveFault: flag(0x04), hasCoolingFault: flag(0x08) }),
);
export type ChassisStatus = Decoded<typeof chassisStatus>;

export const getChassisStatus = command('Get Chassis Status', netFn.chassis, 0x01, nothing, chassisStatus);

export const chassisControl = command(
  'Chassis Control',
  netFn.chassis,
  0x02,
  single(layout(byteOf({ value: choice(chassisControls, bits(4)) }))),
  nothing,
);
