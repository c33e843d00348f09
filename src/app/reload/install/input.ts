// What an unattended installation is made of. Everything in `src/app/install` is a function from this to text: no database,
// no clock, no network.
import type { Firmware } from '#contract/site-boot.ts';
import type { SiteInstallFile, SiteSystem } from '#contract/site-systems.ts';

/** An operating system that can be asked for. One of the built-in list has no `source` until the operator gives it files. */
export interface System {
  readonly name: string;
  readonly value: string;
  readonly pxe: number | undefined;
  readonly source: SystemSource | undefined;
}
export type SystemSource = Omit<SiteSystem, 'name' | 'value' | 'pxe'>;
export type InstallFile = SiteInstallFile;

export interface InstallDisk {
  readonly serial: string;
  readonly sizeGb: number;
}

/** One server, as its new system shall be. */
export interface InstallInput {
  readonly hostname: string;
  /** The network card that it boots from; others are left alone. */
  readonly mac: string;
  /** Undefined where nobody said. */
  readonly firmware?: Firmware;
  /** With the length of the network, such as 203.0.113.10/24; the first of a family is the main one. */
  readonly addresses: readonly string[];
  /** At most one of each family. */
  readonly gateways: readonly string[];
  readonly nameservers: readonly string[];
  readonly sshKeys: readonly string[];
  /** crypt(5), SHA-512; empty once the installer has it. */
  readonly passwordHash: string;
  readonly disks: readonly InstallDisk[];
  /** Serial numbers of disks that must not be touched. */
  readonly preserve: readonly string[];
}

/** Where the server finds what belongs to this installation: the secret link, without a slash at its end. */
export type BootBase = string;

/** What the boot server hands out for one installation: a script, and small files by name. */
export interface RenderedBoot {
  readonly script: string;
  readonly files: Readonly<Record<string, string>>;
  /** Which of them holds the hash of the password: without one it is not handed out. */
  readonly passwordFile: string;
}
