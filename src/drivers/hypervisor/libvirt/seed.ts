// The first-boot configuration of a system for cloud-init (NoCloud): hostname, root password hash, addresses. Uses
// cloud-init's older syntax where there are two, because templates vary in age.
import { stringify } from 'yaml';
import { cryptHash } from '#lib/crypt-hash.ts';
import type { SystemBuild } from '../driver.ts';
import { isoImage } from './iso9660.ts';

/** cloud-init finds the image by this label. */
const label = 'cidata';

export function seedImage(system: SystemBuild, mac: string): Buffer {
  return isoImage(label, {
    'meta-data': stringify({ 'instance-id': system.id, 'local-hostname': system.hostname }),
    'user-data': `#cloud-config\n${stringify(userData(system))}`,
    'network-config': stringify(networkConfig(system, mac)),
  });
}

function userData({ hostname, rootPassword }: SystemBuild): object {
  return {
    hostname,
    fqdn: hostname,
    prefer_fqdn_over_hostname: true,
    manage_etc_hosts: true,
    disable_root: false,
    ssh_pwauth: true,
    chpasswd: { expire: false, list: `root:${cryptHash(rootPassword)}\n` },
  };
}

function networkConfig({ addresses, nameServers }: SystemBuild, mac: string): object {
  const gateways = addresses.flatMap(({ gateway }) => (gateway === undefined ? [] : [gateway]));
  const card = {
    match: { macaddress: mac },
    dhcp4: addresses.length === 0,
    addresses: addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
    routes: gateways.map((via) => ({ to: via.includes(':') ? '::/0' : '0.0.0.0/0', via })),
    nameservers: { addresses: nameServers },
  };
  return { version: 2, ethernets: { primary: card } };
}
