// The part of the site file about network boot: where the boot server listens, and the operating systems that it installs.
import { Type, type Static } from 'typebox';
import * as p from './parameters.ts';
import { BootTimeouts, firmwareKinds } from './site-boot.ts';

const closed = { additionalProperties: false };
/** It stands in the database and in messages as it is: no place for a secret. */
export const HttpUrl = Type.String({
  maxLength: 2048,
  pattern: '^https?://[\\x21-\\x2e\\x30-\\x3f\\x41-\\x7e]+(?:/[\\x21-\\x7e]*)?$',
  'x-reason': 'must be a URL that begins with http:// or https://, without a password in it',
});

/** A file of the provider's own, on this machine or to be fetched. What is fetched has to be the right one. */
export const providedFile = {
  file: Type.Optional(p.Text({ max: 4096 })),
  url: Type.Optional(HttpUrl),
  sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$', 'x-reason': 'must be a SHA-256 in hex' })),
};
const InstallFile = Type.Object(providedFile, closed);

export const systemKinds = ['preseed', 'kickstart', 'autoinstall', 'image', 'rescue'] as const;

export const SiteSystem = Type.Object(
  {
    /** What customers read. */
    name: p.Text({ max: 64 }),
    /** What they send. */
    value: Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{0,63}$',
      'x-reason': 'must be small letters, digits, dots and hyphens, at most 64',
    }),
    /** The id of the legacy interface's list under which it is known too. */
    pxe: Type.Optional(p.Whole(1, 65_535)),
    /** How it is installed: by the system's own installer, or by writing an image. `rescue` runs without a disk. */
    kind: p.Choice(...systemKinds),
    /** What the server's firmware must be; either unless told. */
    firmware: Type.Optional(p.Choice(...firmwareKinds)),
    leastDiskGb: Type.Optional(p.Whole(1, 1_000_000)),
    kernel: InstallFile,
    initrd: InstallFile,
    /** `image`: the disk's content, raw or with gzip. `autoinstall`: the live ISO. */
    image: Type.Optional(InstallFile),
    /** `image`: the partition with the root file system, counted from 1. */
    rootPartition: Type.Optional(p.Whole(1, 128)),
    /** `preseed`, `kickstart`: where packages come from. */
    mirror: Type.Optional(HttpUrl),
    /** `preseed`: the release, such as bookworm. */
    release: Type.Optional(Type.String({ pattern: '^[a-z]{2,32}$', 'x-reason': 'must be a release such as bookworm' })),
    /** More for the kernel's command line, such as console=ttyS1. */
    kernelOptions: Type.Optional(
      Type.String({
        maxLength: 512,
        pattern: '^[\\x21-\\x7e]+(?: [\\x21-\\x7e]+)*$',
        'x-reason': 'must be options with single spaces between',
      }),
    ),
  },
  closed,
);

export const SiteBoot = Type.Object(
  {
    /** Where servers fetch scripts, kernels and images. Customers need no way to it. */
    listen: p.ListenAddress,
    /** How servers reach it, where that is not the address above. */
    url: Type.Optional(HttpUrl),
    /** Where the first stage is served by TFTP; left out: not at all. */
    tftp: Type.Optional(p.ListenAddress),
    /** The folder with undionly.kpxe and snponly.efi; that of Debian's package ipxe unless told. */
    firmware: Type.Optional(p.Text({ max: 4096 })),
    /** What new systems are told to ask for names. */
    nameservers: Type.Optional(Type.Array(p.IpAddress)),
    timeouts: Type.Optional(BootTimeouts),
  },
  closed,
);

export type SiteBoot = Static<typeof SiteBoot>;
export type SiteSystem = Static<typeof SiteSystem>;
export type SiteInstallFile = Static<typeof InstallFile>;
export type SystemKind = (typeof systemKinds)[number];
