// The systems that the lab's servers boot over the network: every system of the legacy API's list, with the installer
// its family would use, and a current one. The files are small placeholders, which are fetched but never run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pxeImages } from '#contract/catalogue.ts';
import type { Site } from '#contract/site/site.ts';
import type { SiteSystem, SystemKind } from '#contract/site/systems.ts';
import type { LabDisk } from './disks.ts';
import { systemName } from './products.ts';

export interface LabBootFiles {
  /** By the value of their system. Each names it, because the lab's servers have nothing else to know it from. */
  readonly kernels: Readonly<Record<string, string>>;
  readonly initrd: string;
  readonly image: string;
}

/** The network card of each server. All have the same disks. */
export const labCards: Readonly<Record<string, string>> = {
  dc01r01ds01: '52:54:00:10:01:01',
  'dc01r01ds02-01': '52:54:00:10:02:01',
  dc01r02ds01: '52:54:00:10:03:01',
};
export const labDisks: readonly LabDisk[] = [
  { serial: 'LAB-SSD-1', sizeGb: 480 },
  { serial: 'LAB-SSD-2', sizeGb: 480 },
];

/** Before the name of the system in the first line of its kernel. */
export const kernelHeading = 'Hostyard lab kernel of ';
const kernelWords = 1000;
const fileBytes = 64 * 1024;
/** Short, because the lab's firmware takes only a second. */
const timeouts = { script: 60, start: 60, install: 120 };
const installers: Readonly<Record<string, SystemKind>> = {
  'OS-A': 'kickstart',
  'OS-B': 'preseed',
  'OS-G': 'preseed',
  Rescue: 'rescue',
  Boot: 'rescue',
};

interface LabSystem {
  readonly name: string;
  readonly value: string;
  readonly kind: SystemKind;
  readonly release?: string;
  readonly pxe?: number;
}

const labSystems: readonly LabSystem[] = [
  { name: 'Debian 12', value: 'debian-12', kind: 'preseed', release: 'bookworm' },
  { name: 'Ubuntu 24.04 LTS', value: 'ubuntu-24.04', kind: 'image' },
  ...pxeImages.map(({ id, label }) => {
    const [family = ''] = label.split(' ');
    const name = systemName(label);
    const value = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9.]+/g, '-')
      .replace(/-$/, '');
    return { name, value, kind: installers[family] ?? 'image', pxe: id };
  }),
];

export function writeLabBootFiles(dataFolder: string): LabBootFiles {
  const folder = join(dataFolder, 'lab-boot');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = { initrd: join(folder, 'initrd'), image: join(folder, 'image.gz') };
  const kernels = Object.fromEntries(
    labSystems.map(({ name, value }) => {
      const kernel = join(folder, `kernel-${value}`);
      writeFileSync(kernel, `${kernelHeading}${name}\n${'kernel '.repeat(kernelWords)}`);
      return [value, kernel];
    }),
  );
  writeFileSync(files.initrd, Buffer.alloc(fileBytes, 'initrd '));
  writeFileSync(files.image, gzipSync(Buffer.alloc(fileBytes, 'image ')));
  return { kernels, ...files };
}

export function labNetworkBootSite(files: LabBootFiles): Pick<Site, 'boot' | 'systems'> {
  return {
    boot: { listen: '127.0.0.1:0', nameservers: ['203.0.113.1'], timeouts },
    systems: labSystems.map((system) => siteSystem(system, files)),
  };
}

function siteSystem({ release, pxe, ...system }: LabSystem, { kernels, initrd, image }: LabBootFiles): SiteSystem {
  const { kind, value } = system;
  return {
    ...system,
    ...(pxe === undefined ? {} : { pxe }),
    kernel: { file: kernels[value]! },
    initrd: { file: initrd },
    ...(kind === 'image' ? { image: { file: image }, rootPartition: 1 } : {}),
    ...(kind === 'preseed' ? { release: release ?? 'stable' } : {}),
    ...(kind === 'preseed' || kind === 'kickstart' ? { mirror: 'http://mirror.example.net/systems' } : {}),
  };
}
