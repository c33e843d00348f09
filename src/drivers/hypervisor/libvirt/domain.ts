// A machine as libvirt describes it. The devices are the ones that every operating system knows: an IDE drive for images, so
// that installers find it, and virtio for the disk and the network. The seed of a system is in a second drive beside it.
import { randomPassword } from '#kernel/random.ts';
import type { MachineBootTarget, MachineShape } from '../driver.ts';
import { defaults, type LibvirtSettings } from './settings.ts';
import { all, at, element, replaceChild, type Element } from './xml.ts';

export interface SystemFiles {
  readonly disk: string;
  readonly seed: string;
}

const targets = { disk: 'vda', image: 'hda', seed: 'hdb' } as const;
/** In which order the devices are tried when nobody has chosen. */
const usualOrder: readonly MachineBootTarget[] = ['disk', 'cdrom', 'pxe'];
/** After all of them. */
export const lastInOrder = usualOrder.length + 1;
const balloonPeriodSeconds = 5;

export function describeDomain(
  name: string,
  shape: MachineShape,
  system: SystemFiles,
  settings: LibvirtSettings,
): Element {
  const isKvm = settings.accelerator === 'kvm';
  const domain = element(
    'domain',
    { type: isKvm ? 'kvm' : 'qemu' },
    element('name', {}, name),
    element('memory', { unit: 'MiB' }, String(shape.memoryMb)),
    element('vcpu', {}, String(shape.vcpus)),
    element('os', {}, element('type', { arch: 'x86_64', machine: 'pc' }, 'hvm')),
    element('features', {}, element('acpi'), element('apic')),
    ...(isKvm ? [element('cpu', { mode: 'host-model' })] : []),
    element('clock', { offset: 'utc' }),
    element('on_poweroff', {}, 'destroy'),
    element('on_reboot', {}, 'restart'),
    element('on_crash', {}, 'restart'),
    element(
      'devices',
      {},
      disk('disk', 'virtio', element('driver', { name: 'qemu', type: 'qcow2', discard: 'unmap' })),
      disk('image', 'ide', element('driver', { name: 'qemu', type: 'raw' })),
      disk('seed', 'ide', element('driver', { name: 'qemu', type: 'raw' })),
      networkCard(shape.mac, settings.bridge),
      element('serial', { type: 'pty' }, element('target', { port: 0 })),
      element('console', { type: 'pty' }, element('target', { type: 'serial', port: 0 })),
      element('channel', { type: 'unix' }, element('target', { type: 'virtio', name: 'org.qemu.guest_agent.0' })),
      element('input', { type: 'tablet', bus: 'usb' }),
      screen(settings.screenAddress ?? defaults.screenAddress),
      element('video', {}, element('model', { type: 'vga' })),
      element('memballoon', { model: 'virtio' }, element('stats', { period: balloonPeriodSeconds })),
      element('rng', { model: 'virtio' }, element('backend', { model: 'random' }, '/dev/urandom')),
    ),
  );
  putSystem(domain, system);
  putBootOrder(domain, 'disk');
  return domain;
}

function disk(which: keyof typeof targets, bus: string, driver: Element): Element {
  const isDrive = which !== 'disk';
  const target = element('target', { dev: targets[which], bus });
  const parts = isDrive ? [driver, target, element('readonly')] : [driver, target];
  return element('disk', { type: 'file', device: isDrive ? 'cdrom' : 'disk' }, ...parts);
}

function networkCard(mac: string, bridge: string | undefined): Element {
  const parts = [element('mac', { address: mac }), element('model', { type: 'virtio' })];
  return bridge === undefined
    ? element('interface', { type: 'user' }, ...parts)
    : element('interface', { type: 'bridge' }, element('source', { bridge }), ...parts);
}

/** Nobody knows this password, and it has expired: each viewer gets one of its own. */
function screen(listen: string): Element {
  const attributes = { type: 'vnc', port: -1, autoport: 'yes', listen };
  return element('graphics', { ...attributes, passwd: randomPassword(8), passwdValidTo: '2000-01-01T00:00:00' });
}

export function device(domain: Element, which: keyof typeof targets): Element | undefined {
  return all(at(domain, 'devices'), 'disk').find((each) => at(each, 'target')?.attributes['dev'] === targets[which]);
}

export function fileIn(drive: Element | undefined): string | undefined {
  return drive && at(drive, 'source')?.attributes['file'];
}

export function putFile(drive: Element, file: string | undefined): void {
  replaceChild(drive, 'source', file === undefined ? undefined : element('source', { file }));
  // What a machine that runs has looked up of the file before.
  replaceChild(drive, 'backingStore', undefined);
}

export function putSystem(domain: Element, { disk, seed }: SystemFiles): void {
  for (const [which, file] of [
    ['disk', disk],
    ['seed', seed],
  ] as const) {
    const drive = device(domain, which);
    if (drive !== undefined) putFile(drive, file);
  }
}

function bootable(domain: Element, target: MachineBootTarget): Element | undefined {
  switch (target) {
    case 'disk':
      return device(domain, 'disk');
    case 'cdrom':
      return device(domain, 'image');
    case 'pxe':
      return at(domain, 'devices', 'interface');
  }
}

export function putBootOrder(domain: Element, first: MachineBootTarget): void {
  const order = [first, ...usualOrder.filter((each) => each !== first)];
  for (const [index, target] of order.entries()) {
    const part = bootable(domain, target);
    if (part !== undefined) replaceChild(part, 'boot', element('boot', { order: index + 1 }));
  }
}

export function firstInOrder(domain: Element): MachineBootTarget {
  return usualOrder.find((each) => orderOf(bootable(domain, each)) === '1') ?? 'disk';
}

function orderOf(part: Element | undefined): string | undefined {
  return part && at(part, 'boot')?.attributes['order'];
}

/** By which name the emulator knows the device. */
export function aliasOf(domain: Element, target: MachineBootTarget): string | undefined {
  const part = bootable(domain, target);
  return part && at(part, 'alias')?.attributes['name'];
}
