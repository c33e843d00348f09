// The site file's part about network boot: where the boot server listens, and the operating systems that it installs.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { BootTimeouts, firmwareKinds } from './boot.ts';

/** Stored in the database and shown in messages unchanged, so it must not contain a secret. */
export const HttpUrl = Type.String({
  maxLength: 2048,
  pattern: '^https?://[\\x21-\\x2e\\x30-\\x3f\\x41-\\x7e]+(?:/[\\x21-\\x7e]*)?$',
  'x-reason': 'must be a URL that starts with http:// or https://, without a password in it',
});

/** A file of the provider, on this machine or downloaded. Downloads are verified. */
export const providedFile = {
  file: Type.Optional(p.Text({ max: 4096 })),
  url: Type.Optional(HttpUrl),
  sha256: Type.Optional(p.Matching('^[0-9a-f]{64}$', 'must be a SHA-256 in hex')),
};
const InstallFile = p.StrictObject(providedFile);

const systemKinds = ['preseed', 'kickstart', 'autoinstall', 'image', 'rescue'] as const;

export const SiteSystem = p.StrictObject({
  /** Shown to customers. */
  name: p.Text({ max: 64 }),
  /** Sent by customers. */
  value: p.Matching('^[a-z0-9][a-z0-9.-]{0,63}$', 'must be lower-case letters, digits, dots and hyphens, at most 64'),
  /** Its id in the legacy API's list. */
  pxe: Type.Optional(p.Whole(1, 65_535)),
  /** How it is installed: by the system's own installer, or by writing an image. `rescue` runs without a disk. */
  kind: p.Choice(...systemKinds),
  /** The firmware that it requires; either by default. */
  firmware: Type.Optional(p.Choice(...firmwareKinds)),
  leastDiskGb: Type.Optional(p.Whole(1, 1_000_000)),
  kernel: InstallFile,
  initrd: InstallFile,
  /** `image`: the disk's content, raw or gzipped. `autoinstall`: the live ISO. */
  image: Type.Optional(InstallFile),
  /** `image`: the partition with the root file system, counted from 1. */
  rootPartition: Type.Optional(p.Whole(1, 128)),
  /** `preseed`, `kickstart`: the package mirror. */
  mirror: Type.Optional(HttpUrl),
  /** `preseed`: the release, such as bookworm. */
  release: Type.Optional(p.Matching('^[a-z]{2,32}$', 'must be a release such as bookworm')),
  /** Additional kernel options, such as console=ttyS1. */
  kernelOptions: Type.Optional(
    Type.String({
      maxLength: 512,
      pattern: '^[\\x21-\\x7e]+(?: [\\x21-\\x7e]+)*$',
      'x-reason': 'must be options separated by single spaces',
    }),
  ),
});

export const SiteBoot = p.StrictObject({
  /** Where servers fetch scripts, kernels and images. Customers need no access to it. */
  listen: p.ListenAddress,
  /** How servers reach it, if not at the address above. */
  url: Type.Optional(HttpUrl),
  /** Where TFTP serves the first boot stage; not at all if omitted. */
  tftp: Type.Optional(p.ListenAddress),
  /** The folder with undionly.kpxe and snponly.efi; by default that of Debian's package ipxe. */
  firmware: Type.Optional(p.Text({ max: 4096 })),
  /** Servers without `bootAddress` get their boot order only from here; by default, from anywhere. */
  networks: Type.Optional(Type.Array(p.Cidr)),
  /** The DNS resolvers of new systems. */
  nameservers: Type.Optional(Type.Array(p.IpAddress)),
  timeouts: Type.Optional(BootTimeouts),
});

export type SiteBoot = Static<typeof SiteBoot>;
export type SiteSystem = Static<typeof SiteSystem>;
export type SiteInstallFile = Static<typeof InstallFile>;
export type SystemKind = (typeof systemKinds)[number];

/**
 * An operating system that customers can request. A built-in one has no `source` until the operator provides its
 * files.
 */
export interface System {
  readonly name: string;
  readonly value: string;
  readonly pxe: number | undefined;
  readonly source: SystemSource | undefined;
}
export type SystemSource = Omit<SiteSystem, 'name' | 'value' | 'pxe'>;
