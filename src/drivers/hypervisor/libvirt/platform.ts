// Firmware, secure boot and TPM of a machine, as its systems need them. The chipset is chosen when the machine is created
// and stays; the firmware follows the system that it boots. The description records what each system needs, because
// libvirt's own elements only say it for the current one.
import { ApiError } from '#lib/api-error.ts';
import { connectGetDomainCapabilities } from '#protocols/libvirt/procedures.ts';
import type { Platform } from '../driver.ts';
import type { Session } from './session.ts';
import type { LibvirtSettings } from './settings.ts';
import { childrenNamed, element, findPath, parseXml, replaceChild, type Element } from './xml.ts';

type Chipset = 'pc' | 'q35';

const records = { name: 'hostyard:systems', prefix: 'xmlns:hostyard', namespace: 'urn:hostyard:systems' } as const;
const recordName = 'hostyard:system';
/** For disks that are attached later: a slot of this chipset takes one device. */
const sparePorts = 8;

/** Only this chipset has secure boot, and newer systems expect it with UEFI. BIOS machines keep the one they always had. */
export function chipsetFor({ firmware }: Platform): Chipset {
  return firmware === 'uefi' ? 'q35' : 'pc';
}

/** The bus of its CD drives, and the name of the first on it. */
export function driveBus(chipset: Chipset): { readonly bus: string; readonly prefix: string } {
  return chipset === 'q35' ? { bus: 'sata', prefix: 'sd' } : { bus: 'ide', prefix: 'hd' };
}

export function portElements(chipset: Chipset): readonly Element[] {
  if (chipset === 'pc') return [];
  const bridges = Array.from({ length: sparePorts }, () =>
    element('controller', { type: 'pci', model: 'pcie-root-port' }),
  );
  return [element('controller', { type: 'pci', model: 'pcie-root' }), ...bridges];
}

/**
 * Sets what the system on this disk needs. Its firmware variables are a file next to the disk, which libvirt creates when it
 * is missing, so that each system starts with fresh ones and a rollback finds the former ones. A TPM stays with the machine.
 */
function setPlatform(domain: Element, { firmware, secureBoot, tpm }: Platform, disk: string): void {
  const [os, features] = [findPath(domain, 'os')!, findPath(domain, 'features')!];
  const isUefi = firmware === 'uefi';
  delete os.attributes['firmware'];
  if (isUefi) os.attributes['firmware'] = 'efi';
  const state = secureBoot ? 'yes' : 'no';
  const wanted = ['enrolled-keys', 'secure-boot'].map((name) => element('feature', { enabled: state, name }));
  replaceChild(os, 'firmware', isUefi ? element('firmware', {}, ...wanted) : undefined);
  replaceChild(os, 'loader', undefined);
  replaceChild(os, 'nvram', isUefi ? element('nvram', {}, variablesPath(disk)) : undefined);
  // The firmware keeps its signatures in memory that only this mode of the processor can change.
  replaceChild(features, 'smm', secureBoot ? element('smm', { state: 'on' }) : undefined);
  const devices = findPath(domain, 'devices')!;
  if (tpm && findPath(devices, 'tpm') === undefined)
    devices.children.push(
      element('tpm', { model: 'tpm-crb' }, element('backend', { type: 'emulator', version: '2.0' })),
    );
}

function variablesPath(disk: string): string {
  return disk.replace(/\.qcow2$/, '.nvram');
}

/** Reads what a machine has now, also one that Hostyard did not create. */
function readPlatform(domain: Element): Platform {
  const os = findPath(domain, 'os');
  const isUefi = os?.attributes['firmware'] === 'efi' || findPath(domain, 'os', 'nvram') !== undefined;
  const isSecure = childrenNamed(findPath(domain, 'os', 'firmware'), 'feature').some(
    ({ attributes }) => attributes['name'] === 'secure-boot' && attributes['enabled'] === 'yes',
  );
  return {
    firmware: isUefi ? 'uefi' : 'bios',
    secureBoot: isSecure,
    tpm: findPath(domain, 'devices', 'tpm') !== undefined,
  };
}

/**
 * Records what an added system needs, and the current one, for a rollback. Returns false if there is nothing to record
 * because both are plain. Firmware that the provider changed by hand is not recorded, and stays unchanged.
 */
export function recordPlatforms(domain: Element, current: string, added: string, platform: Platform): boolean {
  const known = recordedPlatform(domain, current);
  if ((known === undefined || isPlain(known)) && isPlain(platform)) return false;
  record(domain, current, known ?? readPlatform(domain));
  record(domain, added, platform);
  return true;
}

/** Sets what a system needs before the machine boots it. A copy of a system needs the same as the one before it. */
export function usePlatform(domain: Element, previous: string, system: string, disk: string): void {
  const platform = recordedPlatform(domain, system) ?? recordedPlatform(domain, previous);
  if (platform === undefined) return;
  record(domain, system, platform);
  setPlatform(domain, platform, disk);
}

/** For a new machine. */
export function describePlatform(domain: Element, system: string, platform: Platform, disk: string): void {
  if (isPlain(platform)) return;
  record(domain, system, platform);
  setPlatform(domain, platform, disk);
}

function record(domain: Element, system: string, platform: Platform): void {
  if (findPath(domain, 'metadata') === undefined) replaceChild(domain, 'metadata', element('metadata'));
  const metadata = findPath(domain, 'metadata')!;
  if (findPath(metadata, records.name) === undefined)
    replaceChild(metadata, records.name, element(records.name, { [records.prefix]: records.namespace }));
  forgetPlatforms(domain, ({ attributes }) => attributes['id'] === system);
  findPath(metadata, records.name)!.children.push(recordOf(system, platform));
}

function recordOf(id: string, { firmware, secureBoot, tpm }: Platform): Element {
  return element(recordName, { id, firmware, secureBoot: yesNo(secureBoot), tpm: yesNo(tpm) });
}

function isPlain({ firmware, tpm }: Platform): boolean {
  return firmware === 'bios' && !tpm;
}

/** Returns undefined for a system that was built before there was a choice. */
function recordedPlatform(domain: Element, system: string): Platform | undefined {
  const list = findPath(domain, 'metadata', records.name);
  const record = childrenNamed(list, recordName).find(({ attributes }) => attributes['id'] === system);
  if (record === undefined) return undefined;
  const { firmware, secureBoot, tpm } = record.attributes;
  return { firmware: firmware === 'uefi' ? 'uefi' : 'bios', secureBoot: secureBoot === 'yes', tpm: tpm === 'yes' };
}

function forgetPlatforms(domain: Element, isForgotten: (record: Element) => boolean): void {
  const list = findPath(domain, 'metadata', records.name);
  if (list === undefined) return;
  list.children.splice(0, list.children.length, ...list.children.filter((record) => !isForgotten(record)));
}

/** Returns true if systems may have firmware variables, which are files that the storage pool does not know. */
export function hasPlatforms(domain: Element): boolean {
  return findPath(domain, 'metadata', records.name) !== undefined;
}

/** Forgets what other systems needed. Returns false if nothing was recorded for them. */
export function keepPlatformOnly(domain: Element, system: string): boolean {
  const isOther = ({ attributes }: Element): boolean => attributes['id'] !== system;
  const isChanged = findPath(domain, 'metadata', records.name)?.children.some(isOther) === true;
  forgetPlatforms(domain, isOther);
  return isChanged;
}

/**
 * Returns why the host, or the given machine on it, cannot run a system that needs this. libvirt knows which firmware and
 * which emulators are installed.
 */
export async function findPlatformProblems(
  session: Session,
  accelerator: LibvirtSettings['accelerator'],
  platform: Platform,
  machine: Element | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { firmware, secureBoot, tpm } = platform;
  if (isPlain(platform)) return [];
  const chipset = machine === undefined ? chipsetFor(platform) : chipsetOf(machine);
  const virttype = accelerator === 'kvm' ? 'kvm' : 'qemu';
  const question = { emulator: undefined, arch: 'x86_64', machine: chipset, virttype, flags: 0 };
  const capabilities = parseXml((await session.call(connectGetDomainCapabilities, question, signal)).capabilities);
  const offers = (value: string, ...path: string[]): boolean => {
    const list = path.slice(0, -1);
    const lists = childrenNamed(findPath(capabilities, ...list), 'enum');
    const values = lists.find(({ attributes }) => attributes['name'] === path.at(-1));
    return childrenNamed(values, 'value').some(({ text }) => text === value);
  };
  const problems: string[] = [];
  if (firmware === 'uefi' && !offers('efi', 'os', 'firmware'))
    problems.push('It has no UEFI firmware: install ovmf on it.');
  else if (secureBoot && machine !== undefined && chipset === 'pc')
    problems.push('The machine was created without secure boot and cannot get it.');
  else if (secureBoot && !offers('yes', 'os', 'loader', 'secure'))
    problems.push('It has no firmware with secure boot: install ovmf on it.');
  if (tpm && !offers('emulator', 'devices', 'tpm', 'backendModel'))
    problems.push('It has no TPM emulator: install swtpm and swtpm-tools on it.');
  return problems;
}

function chipsetOf(domain: Element): Chipset {
  return findPath(domain, 'os', 'type')?.attributes['machine']?.includes('q35') === true ? 'q35' : 'pc';
}

/** Before a system is built that the host could not start. */
export function platformError(problems: readonly string[]): ApiError {
  return new ApiError('capability_missing', {
    message: 'The hypervisor cannot run this system.',
    internal: problems.join(' '),
  });
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
