// Builds and edits libvirt's description of a machine. Devices are chosen for compatibility: a CD drive for images, on a
// bus that every installer finds, and virtio for disk and network. The seed of a system is in a second drive. Machines
// that Hostyard did not create may look different, so devices are found by what they are, not by their names.
import { randomPassword } from '#lib/random.ts';
import {
  plainPlatform,
  type MachineBootTarget,
  type MachineShape,
  type MachineSize,
  type Platform,
} from '../driver.ts';
import { addFilter, needsFilter } from './filter.ts';
import { chipsetFor, driveBus, portElements } from './platform.ts';
import { defaults, type LibvirtSettings } from './settings.ts';
import { childrenNamed, findPath, element, replaceChild, type Element } from './xml.ts';

export interface SystemFiles {
  readonly disk: string;
  readonly seed: string;
}

type Drive = 'disk' | 'image' | 'seed';
/** Of machines that Hostyard created. */
export const systemDiskTarget = 'vda';
/** The order in which devices are tried by default. */
const defaultBootOrder: readonly MachineBootTarget[] = ['disk', 'cdrom', 'pxe'];
/** A bootindex after all of them. */
export const lastBootIndex = defaultBootOrder.length + 1;
const balloonPeriodSeconds = 5;

export function describeDomain(
  name: string,
  shape: MachineShape,
  system: SystemFiles,
  settings: LibvirtSettings,
  platform: Platform = plainPlatform,
): Element {
  const isKvm = settings.accelerator === 'kvm';
  const chipset = chipsetFor(platform);
  const { bus, prefix } = driveBus(chipset);
  const domain = element(
    'domain',
    { type: isKvm ? 'kvm' : 'qemu' },
    element('name', {}, name),
    element('memory', { unit: 'MiB' }, String(shape.memoryMb)),
    element('vcpu', {}, String(shape.vcpus)),
    element('os', {}, element('type', { arch: 'x86_64', machine: chipset }, 'hvm')),
    element('features', {}, element('acpi'), element('apic')),
    ...(isKvm ? [element('cpu', { mode: 'host-model' })] : []),
    element('clock', { offset: 'utc' }),
    element('on_poweroff', {}, 'destroy'),
    element('on_reboot', {}, 'restart'),
    element('on_crash', {}, 'restart'),
    element(
      'devices',
      {},
      ...portElements(chipset),
      element(
        'disk',
        { type: 'file', device: 'disk' },
        element('driver', { name: 'qemu', type: 'qcow2', discard: 'unmap' }),
        element('target', { dev: systemDiskTarget, bus: 'virtio' }),
      ),
      cdDrive(`${prefix}a`, bus),
      cdDrive(`${prefix}b`, bus),
      networkCard(name, shape.mac, settings.bridge),
      element('serial', { type: 'pty' }, element('target', { port: 0 })),
      element('console', { type: 'pty' }, element('target', { type: 'serial', port: 0 })),
      element('channel', { type: 'unix' }, element('target', { type: 'virtio', name: 'org.qemu.guest_agent.0' })),
      element('input', { type: 'tablet', bus: 'usb' }),
      vncGraphics(settings.screenAddress ?? defaults.screenAddress),
      element('video', {}, element('model', { type: 'vga' })),
      element('memballoon', { model: 'virtio' }, element('stats', { period: balloonPeriodSeconds })),
      element('rng', { model: 'virtio' }, element('backend', { model: 'random' }, '/dev/urandom')),
    ),
  );
  setSystemFiles(domain, system);
  setBootOrder(domain, 'disk');
  return domain;
}

function cdDrive(dev: string, bus: string): Element {
  return element(
    'disk',
    { type: 'file', device: 'cdrom' },
    element('driver', { name: 'qemu', type: 'raw' }),
    element('target', { dev, bus }),
    element('readonly'),
  );
}

function networkCard(machine: string, mac: string, bridge: string | undefined): Element {
  const parts = [element('mac', { address: mac }), element('model', { type: 'virtio' })];
  const card =
    bridge === undefined
      ? element('interface', { type: 'user' }, ...parts)
      : element('interface', { type: 'bridge' }, element('source', { bridge }), ...parts);
  if (needsFilter(card)) addFilter(card, machine);
  return card;
}

export function findCard(domain: Element): Element | undefined {
  return findPath(domain, 'devices', 'interface');
}

/** Returns the paths of the disks that the machine writes to. */
export function diskPaths(domain: Element): readonly string[] {
  return childrenNamed(findPath(domain, 'devices'), 'disk').flatMap((disk) => {
    const { file, dev } = findPath(disk, 'source')?.attributes ?? {};
    const path = file ?? dev;
    const isOwn =
      disk.attributes['device'] === 'disk' && !['readonly', 'shareable'].some((mark) => findPath(disk, mark));
    return isOwn && path !== undefined ? [path] : [];
  });
}

/** Sets a password that nobody knows and that has expired: each viewer gets a new one. */
function vncGraphics(listen: string): Element {
  const attributes = { type: 'vnc', port: -1, autoport: 'yes', listen };
  return element('graphics', { ...attributes, passwd: randomPassword(8), passwdValidTo: '2000-01-01T00:00:00' });
}

/** Images go into the first CD drive, the seed into the second. */
export function findDisk(domain: Element, which: Drive): Element | undefined {
  const kind = which === 'disk' ? 'disk' : 'cdrom';
  const drives = childrenNamed(findPath(domain, 'devices'), 'disk').filter(
    ({ attributes }) => (attributes['device'] ?? 'disk') === kind,
  );
  return drives[which === 'seed' ? 1 : 0];
}

export function diskFile(drive: Element | undefined): string | undefined {
  return drive && findPath(drive, 'source')?.attributes['file'];
}

export function setDiskFile(drive: Element, file: string | undefined): void {
  replaceChild(drive, 'source', file === undefined ? undefined : element('source', { file }));
  // A running machine's description includes the backing chain of the previous file.
  replaceChild(drive, 'backingStore', undefined);
}

export function setSystemFiles(domain: Element, files: SystemFiles): void {
  for (const which of ['disk', 'seed'] as const) {
    const drive = findDisk(domain, which);
    if (drive !== undefined) setDiskFile(drive, files[which]);
  }
}

/** Memory that libvirt gives the machine at its start is all that it has. */
export function setSize(domain: Element, { vcpus, memoryMb }: MachineSize): void {
  replaceChild(domain, 'memory', element('memory', { unit: 'MiB' }, String(memoryMb)));
  replaceChild(domain, 'currentMemory', undefined);
  replaceChild(domain, 'vcpu', element('vcpu', {}, String(vcpus)));
  replaceChild(domain, 'vcpus', undefined);
}

function bootDevice(domain: Element, target: MachineBootTarget): Element | undefined {
  if (target === 'pxe') return findCard(domain);
  return findDisk(domain, target === 'disk' ? 'disk' : 'image');
}

/** Returns false for a machine whose provider ordered its boot devices in another way, or that lacks this one. */
export function canChooseBoot(domain: Element, target: MachineBootTarget): boolean {
  return findPath(domain, 'os', 'boot') === undefined && bootDevice(domain, target) !== undefined;
}

export function setBootOrder(domain: Element, first: MachineBootTarget): void {
  const order = [first, ...defaultBootOrder.filter((candidate) => candidate !== first)];
  for (const [index, target] of order.entries()) {
    const part = bootDevice(domain, target);
    if (part !== undefined) replaceChild(part, 'boot', element('boot', { order: index + 1 }));
  }
}

export function firstBootTarget(domain: Element): MachineBootTarget {
  return defaultBootOrder.find((candidate) => bootOrder(bootDevice(domain, candidate)) === '1') ?? 'disk';
}

function bootOrder(part: Element | undefined): string | undefined {
  return part && findPath(part, 'boot')?.attributes['order'];
}

/** Returns QEMU's name of the boot device. */
export function deviceAlias(domain: Element, target: MachineBootTarget): string | undefined {
  const part = bootDevice(domain, target);
  return part && findPath(part, 'alias')?.attributes['name'];
}
