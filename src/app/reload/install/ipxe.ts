// Scripts for iPXE. They contain only our own text: secrets are alphanumeric and options are checked. A dollar sign is
// iPXE's own.
import type { BootBase } from './input.ts';

const bootDisk = ['iseq ${platform} pcbios && sanboot --no-describe --drive 0x80 ||', 'exit', ''];

/** The same script for unknown servers and for those with nothing to install: boots the disk and reveals nothing. */
export const diskScript = ['#!ipxe', ...bootDisk].join('\n');

/** Boots the disk if a file cannot be fetched; the installation then times out. */
const bootDiskInstead = ['', ':disk', ...bootDisk];

/** Boots a distribution's installer. */
export function bootInstaller(base: BootBase, options: readonly string[]): string {
  // UEFI kernels need the initrd's name; others ignore it.
  return [
    '#!ipxe',
    `kernel ${base}/kernel initrd=initrd ${options.join(' ')} || goto disk`,
    `initrd --name initrd ${base}/initrd || goto disk`,
    'boot || goto disk',
    ...bootDiskInstead,
  ].join('\n');
}

/** Repeats until every file is there: the disk must not boot. */
const retryInstead = ['', ':retry', 'imgfree', 'sleep 10', 'goto start', ''];

/** Boots a kernel and a file system with our own first program on top. Uses the address that the firmware was given. */
export function bootStage(base: BootBase, options: readonly string[], otherwise: 'disk' | 'retry' = 'disk'): string {
  const address = 'hostyard.ip=${netX/ip} hostyard.netmask=${netX/netmask} hostyard.gateway=${netX/gateway}';
  return [
    '#!ipxe',
    ':start',
    `kernel ${base}/kernel initrd=initrd.magic rdinit=/init ${address} ${options.join(' ')} || goto ${otherwise}`,
    `initrd ${base}/initrd || goto ${otherwise}`,
    `initrd ${base}/init /init mode=755 || goto ${otherwise}`,
    `boot || goto ${otherwise}`,
    ...(otherwise === 'retry' ? retryInstead : bootDiskInstead),
  ].join('\n');
}

/** Returns the first stage, which TFTP serves. iPXE fills in which server it runs on. */
export function firstStage(url: string): string {
  return `#!ipxe
isset \${netX/ip} || dhcp || exit
chain --replace ${url}/boot/ipxe/\${netX/mac}?uuid=\${uuid} || exit
`;
}
