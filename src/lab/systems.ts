// The systems that the lab's servers boot over the network: every system of the legacy API's list, with the installer
// its family would use, and a current one. The files are small placeholders, which are fetched but never run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pxeImages } from '#contract/catalogue.ts';
import type { Site } from '#contract/site/site.ts';
import type { SiteSystem, SystemKind } from '#contract/site/systems.ts';
import type { LabDisk } from './disks.ts';

export interface LabBootFiles {
  readonly kernel: string;
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

export function writeLabBootFiles(dataFolder: string): LabBootFiles {
  const folder = join(dataFolder, 'lab-boot');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = { kernel: join(folder, 'kernel'), initrd: join(folder, 'initrd'), image: join(folder, 'image.gz') };
  writeFileSync(files.kernel, Buffer.alloc(fileBytes, 'kernel '));
  writeFileSync(files.initrd, Buffer.alloc(fileBytes, 'initrd '));
  writeFileSync(files.image, gzipSync(Buffer.alloc(fileBytes, 'image ')));
  return files;
}

export function labNetworkBootSite(files: LabBootFiles): Pick<Site, 'boot' | 'systems'> {
  const debian: SiteSystem = { ...systemOf('Debian 12', 'preseed', files), value: 'debian-12', release: 'bookworm' };
  const catalogueSystems = pxeImages.map(({ id, label }) => {
    const [family = ''] = label.split(' ');
    return { ...systemOf(label, installers[family] ?? 'image', files), pxe: id };
  });
  return {
    boot: { listen: '127.0.0.1:0', nameservers: ['203.0.113.1'], timeouts },
    systems: [debian, ...catalogueSystems],
  };
}

function systemOf(name: string, kind: SystemKind, { kernel, initrd, image }: LabBootFiles): SiteSystem {
  return {
    name,
    value: name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-'),
    kind,
    kernel: { file: kernel },
    initrd: { file: initrd },
    ...(kind === 'image' ? { image: { file: image }, rootPartition: 1 } : {}),
    ...(kind === 'preseed' ? { release: 'stable' } : {}),
    ...(kind === 'preseed' || kind === 'kickstart' ? { mirror: 'http://mirror.example.net/systems' } : {}),
  };
}
