// What the site file says of booting over the network: how a server is known there, and how long each phase may take.
import { Type } from 'typebox';
import * as p from './parameters.ts';

export const firmwareKinds = ['bios', 'uefi'] as const;
export type Firmware = (typeof firmwareKinds)[number];

const closed = { additionalProperties: false };

const MacAddress = Type.String({
  pattern: '^[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}$',
  maxLength: 17,
  'x-reason': 'must be a hardware address such as 52:54:00:12:34:56',
});
const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  maxLength: 36,
  'x-reason': 'must be a UUID as the firmware tells it',
});

/** Of a server. */
export const bootIdentity = {
  /** Of the network cards that it boots from. */
  macs: Type.Optional(Type.Array(MacAddress, { maxItems: 32, 'x-reason': 'must be at most 32 hardware addresses' })),
  uuid: Type.Optional(Uuid),
  /** How it boots; its controller is told so, and systems that need the other are not offered. */
  firmware: Type.Optional(p.Choice(...firmwareKinds)),
  /** What an installer may write to, by serial number; `preserve` keeps one as it is. */
  disks: Type.Optional(
    Type.Array(
      Type.Object(
        { serial: p.Text({ max: 64 }), sizeGb: p.Whole(1, 1_000_000), preserve: Type.Optional(Type.Boolean()) },
        closed,
      ),
    ),
  ),
};

/** Seconds after which a phase is given up; for `boot.timeouts`. */
export const BootTimeouts = Type.Object(
  {
    /** From switching on to asking for the boot script: slow firmware takes minutes. 600 unless told. */
    script: Type.Optional(p.Whole(1, 86_400)),
    /** From there to the first word of the installer or the rescue system. 900 unless told. */
    start: Type.Optional(p.Whole(1, 86_400)),
    /** From there to its end. 7200 unless told. */
    install: Type.Optional(p.Whole(1, 86_400)),
    /** How long a controller may be silent before the work is given up, and undone once it answers. 120 unless told. */
    controller: Type.Optional(p.Whole(1, 86_400)),
    /** What runs may take as long to shut down before the rescue system is booted; then its power is cut. 20 unless told. */
    shutdown: Type.Optional(p.Whole(0, 3600)),
  },
  closed,
);
