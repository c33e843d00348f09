// Scripts for iPXE. What stands in them is ours alone: secrets are letters and digits, options are checked; a word with
// iPXE's own dollar sign is meant.
import type { BootBase } from './input.ts';

/** The same for a server that nobody has heard of and one that has nothing to do: it boots its disk and learns nothing. */
export const diskScript = `#!ipxe
iseq \${platform} pcbios && sanboot --no-describe --drive 0x80 ||
exit
`;

/** The way back to the disk, should a file not come: the installation is then given up by its time-out. */
const givesUp = ['', ':disk', 'iseq ${platform} pcbios && sanboot --no-describe --drive 0x80 ||', 'exit', ''];

/** An installer of a distribution: its kernel, its initial file system. */
export function bootInstaller(base: BootBase, options: readonly string[]): string {
  // UEFI kernels have to be told the name; for others it is one word more.
  return [
    '#!ipxe',
    `kernel ${base}/kernel initrd=initrd ${options.join(' ')} || goto disk`,
    `initrd --name initrd ${base}/initrd || goto disk`,
    'boot || goto disk',
    ...givesUp,
  ].join('\n');
}

/** A kernel and a file system with our own first program laid over it. It gets the address that the firmware was given. */
export function bootStage(base: BootBase, options: readonly string[]): string {
  const address = 'hostyard.ip=${netX/ip} hostyard.netmask=${netX/netmask} hostyard.gateway=${netX/gateway}';
  return [
    '#!ipxe',
    `kernel ${base}/kernel initrd=initrd.magic rdinit=/init ${address} ${options.join(' ')} || goto disk`,
    `initrd ${base}/initrd || goto disk`,
    `initrd ${base}/init /init mode=755 || goto disk`,
    'boot || goto disk',
    ...givesUp,
  ].join('\n');
}

/** The first stage, which TFTP serves: which server it is only the server knows. */
export function firstStage(url: string): string {
  return `#!ipxe
isset \${netX/ip} || dhcp || exit
chain --replace ${url}/boot/ipxe/\${netX/mac}?uuid=\${uuid} || exit
`;
}
