// The site file's part about network boot: how servers are identified, and how long each phase may take.
import { Type } from 'typebox';
import * as p from '../parameters.ts';

export const firmwareKinds = ['bios', 'uefi'] as const;
export type Firmware = (typeof firmwareKinds)[number];

const MacAddress = Type.String({
  pattern: '^[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}$',
  maxLength: 17,
  'x-reason': 'must be a MAC address such as 52:54:00:12:34:56',
});
const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  maxLength: 36,
  'x-reason': 'must be a UUID as the firmware reports it',
});

/** For a server. */
export const bootIdentity = {
  /** The network cards that it boots from. */
  macs: Type.Optional(Type.Array(MacAddress, { maxItems: 32, 'x-reason': 'must be at most 32 MAC addresses' })),
  uuid: Type.Optional(Uuid),
  /** The address that it has while it boots. Requests for its boot order from any other address are refused. */
  bootAddress: Type.Optional(p.IpAddress),
  /** How it boots. The BMC is configured accordingly, and systems that need the other kind are not offered. */
  firmware: Type.Optional(p.Choice(...firmwareKinds)),
  /** Disks that an installer may write to, by serial number; those with `preserve` are left as they are. */
  disks: Type.Optional(
    Type.Array(
      p.StrictObject({
        serial: p.Text({ max: 64 }),
        sizeGb: p.Whole(1, 1_000_000),
        preserve: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
};

/** Seconds after which a phase fails; for `boot.timeouts`. */
export const BootTimeouts = p.StrictObject({
  /** From power-on to the request for the boot script; slow firmware takes minutes. 600 by default. */
  script: Type.Optional(p.Whole(1, 86_400)),
  /** From there to the first report of the installer or rescue system. 900 by default. */
  start: Type.Optional(p.Whole(1, 86_400)),
  /** From there to its end. 7200 by default. */
  install: Type.Optional(p.Whole(1, 86_400)),
  /** How long a BMC may be unreachable before the operation fails, and is undone once it responds. 120 by default. */
  controller: Type.Optional(p.Whole(1, 86_400)),
  /**
   * How long the running system may take to shut down before the rescue system is booted; then its power is cut. 20
   * by default.
   */
  shutdown: Type.Optional(p.Whole(0, 3600)),
});
