// The configuration of a system for cloud-init (NoCloud): hostname, root password hash, SSH keys, addresses. Uses cloud-init's
// older syntax if there are two, because templates vary in age.
import { cloudYaml } from '#lib/cloud-yaml.ts';
import { cryptHash } from '#lib/crypt-hash.ts';
import type { NetworkSettings, SystemBuild } from '../driver.ts';
import { isoImage, readIsoImage } from './iso9660.ts';

/** cloud-init finds the image by this label. */
const label = 'cidata';

export function seedImage(system: SystemBuild, mac: string): Buffer {
  const { id, hostname, sshKeys, userData } = system;
  const keys = sshKeys.length === 0 ? {} : { 'public-keys': sshKeys };
  const ours = `#cloud-config\n${cloudYaml(systemConfig(system))}`;
  return isoImage(label, {
    'meta-data': cloudYaml({ 'instance-id': id, 'local-hostname': hostname, ...keys }),
    // cloud-init applies both, and the customer's has precedence.
    ...(userData === undefined ? { 'user-data': ours } : { 'user-data': userData, 'vendor-data': ours }),
    'network-config': networkConfig(system, mac),
  });
}

/**
 * Returns the seed with other network settings, or undefined if it has them already or is not one of ours. All else stays: with
 * another instance id, cloud-init would take the machine for a new one, and reset its password and SSH keys.
 */
export function changeSeed(seed: Buffer, settings: NetworkSettings, mac: string): Buffer | undefined {
  const files = readIsoImage(seed);
  const next = networkConfig(settings, mac);
  if (files?.['network-config'] === undefined || files['network-config'] === next) return undefined;
  return isoImage(label, { ...files, 'network-config': next });
}

function systemConfig({ hostname, rootPassword }: SystemBuild): object {
  return {
    hostname,
    fqdn: hostname,
    prefer_fqdn_over_hostname: true,
    manage_etc_hosts: true,
    disable_root: false,
    ssh_pwauth: true,
    chpasswd: { expire: false, list: `root:${cryptHash(rootPassword)}\n` },
    // Otherwise cloud-init reads the network settings at the first boot only.
    updates: { network: { when: ['boot-new-instance', 'boot'] } },
  };
}

function networkConfig({ addresses, nameServers }: NetworkSettings, mac: string): string {
  const gateways = addresses.flatMap(({ gateway }) => (gateway === undefined ? [] : [gateway]));
  const card = {
    match: { macaddress: mac },
    dhcp4: addresses.length === 0,
    addresses: addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
    routes: gateways.map((via) => ({ to: via.includes(':') ? '::/0' : '0.0.0.0/0', via })),
    nameservers: { addresses: nameServers },
  };
  return cloudYaml({ version: 2, ethernets: { primary: card } });
}
