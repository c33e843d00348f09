// The input of an unattended installation. Everything in this folder is a function from it to text: no database, no
// clock, no network.
import type { Firmware } from '#contract/site/boot.ts';

export interface InstallDisk {
  readonly serial: string;
  readonly sizeGb: number;
}

/** The server as its new system should be. */
export interface InstallInput {
  readonly hostname: string;
  /** The network card that it boots from; others stay unconfigured. */
  readonly mac: string;
  /** Undefined if unknown. */
  readonly firmware?: Firmware;
  /** With prefix length, such as 203.0.113.10/24; the first of each family is the main address. */
  readonly addresses: readonly string[];
  /** At most one per family. */
  readonly gateways: readonly string[];
  readonly nameservers: readonly string[];
  readonly sshKeys: readonly string[];
  /** A crypt(5) SHA-512 hash; empty once the installer has fetched it. */
  readonly passwordHash: string;
  readonly disks: readonly InstallDisk[];
  /** Serial numbers of disks that must not be touched. */
  readonly preserve: readonly string[];
}

/** The secret link to the files of this installation, without a trailing slash. */
export type BootBase = string;

/** The boot server's files for one installation: a script, and small files by name. */
export interface RenderedBoot {
  readonly script: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file with the password's hash, if one has it; not served if there is no hash. */
  readonly passwordFile?: string;
}
