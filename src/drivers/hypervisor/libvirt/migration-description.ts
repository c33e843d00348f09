// Adapts libvirt's description of a machine to the hypervisor that it moves to: paths of its files, network, screen.
import { findCard } from './domain.ts';
import { addFilter, needsFilter } from './filter.ts';
import { defaults, type LibvirtSettings } from './settings.ts';
import { childrenNamed, element, findPath, replaceChild, type Element } from './xml.ts';

/** Returns the paths of the machine's own files that are in CD drives: its seed. */
export function drivePaths(domain: Element, machine: string): readonly string[] {
  return drivesOf(domain).flatMap((drive) => {
    const file = findPath(drive, 'source')?.attributes['file'];
    return file !== undefined && isOwn(file, machine) ? [file] : [];
  });
}

export function nvramPath(domain: Element): string | undefined {
  return findPath(domain, 'os', 'nvram')?.text || undefined;
}

/** `paths` are the copies by the path of the original; `imageThere` returns the path of an image, if the target has it. */
export async function adaptDescription(
  domain: Element,
  machine: string,
  paths: ReadonlyMap<string, string>,
  imageThere: (path: string) => Promise<string | undefined>,
  settings: LibvirtSettings,
): Promise<Element> {
  const adapted = structuredClone(domain);
  adapted.attributes['type'] = settings.accelerator === 'kvm' ? 'kvm' : 'qemu';
  for (const disk of childrenNamed(findPath(adapted, 'devices'), 'disk')) {
    const { file } = findPath(disk, 'source')?.attributes ?? {};
    if (file === undefined) continue;
    const copy = paths.get(file) ?? (isOwn(file, machine) ? undefined : await imageThere(file));
    replaceChild(disk, 'source', copy === undefined ? undefined : element('source', { file: copy }));
    replaceChild(disk, 'backingStore', undefined);
  }
  const nvram = findPath(adapted, 'os', 'nvram');
  if (nvram !== undefined) nvram.text = paths.get(nvram.text) ?? nvram.text;
  adaptCard(adapted, machine, settings.bridge);
  const graphics = findPath(adapted, 'devices', 'graphics');
  if (graphics !== undefined) {
    const address = settings.screenAddress ?? defaults.screenAddress;
    graphics.attributes['listen'] = address;
    replaceChild(graphics, 'listen', element('listen', { type: 'address', address }));
  }
  return adapted;
}

function adaptCard(domain: Element, machine: string, bridge: string | undefined): void {
  const card = findCard(domain);
  if (card === undefined) return;
  // A provider may have left a machine that Hostyard adopted without a filter.
  const isFiltered = !needsFilter(card) || findPath(card, 'filterref') !== undefined;
  card.attributes['type'] = bridge === undefined ? 'user' : 'bridge';
  replaceChild(card, 'source', bridge === undefined ? undefined : element('source', { bridge }));
  // libvirt names the link itself.
  replaceChild(card, 'target', undefined);
  if (needsFilter(card) && isFiltered) addFilter(card, machine);
  else for (const part of ['filterref', 'port']) replaceChild(card, part, undefined);
}

function drivesOf(domain: Element): readonly Element[] {
  const disks = childrenNamed(findPath(domain, 'devices'), 'disk');
  return disks.filter(({ attributes }) => attributes['device'] === 'cdrom');
}

function isOwn(path: string, machine: string): boolean {
  return path.split('/').at(-1)!.startsWith(`${machine}.`);
}
