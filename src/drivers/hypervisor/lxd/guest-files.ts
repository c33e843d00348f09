// Generates the files that configure a system: hostname, root password, SSH keys, addresses. Works on text only, so it
// suits running and stopped systems, busybox and large distributions. Each network configuration tool that the system
// has gets its file, all with the same content. Existing files are the customer's and may have millions of lines, so they are
// edited as a whole.
import { cloudYaml } from '#lib/cloud-yaml.ts';
import { cryptHash } from '#lib/crypt-hash.ts';
import type { MachineAddress, NetworkSettings } from '../driver.ts';

export interface GuestFile {
  readonly path: string;
  readonly text: string;
  /** Octal, as chmod takes it. */
  readonly mode: string;
}

const card = 'eth0';
const msPerDay = 86_400_000;
const shadowFields = 9;

export function hostnameFile(hostname: string): GuestFile {
  return { path: '/etc/hostname', text: `${hostname}\n`, mode: '0644' };
}

/** Maps the hostname to the system itself, whatever the resolver says. */
export function hostsFile(existing: string | undefined, hostname: string): GuestFile {
  const others = (existing ?? '127.0.0.1\tlocalhost\n').replaceAll(/(?<![^\n])127\.0\.1\.1[^\S\n][^\n]*\n?/g, '');
  let end = others.length;
  while (others[end - 1] === '\n') end--;
  const [short] = hostname.split('.');
  const names = short === hostname ? hostname : `${hostname} ${short}`;
  const kept = end === 0 ? '' : `${others.slice(0, end)}\n`;
  return { path: '/etc/hosts', text: `${kept}127.0.1.1\t${names}\n`, mode: '0644' };
}

/** Sets root's password and change date, and keeps all other entries. */
export function shadowFile(existing: string | undefined, password: string, nowMs: number): GuestFile {
  const entry = (/(?<![^\n])root:[^\n]*/.exec(existing ?? '')?.[0] ?? 'root:::0:99999:7:::').split(':', shadowFields);
  const root = ['root', cryptHash(password), String(Math.floor(nowMs / msPerDay)), ...entry.slice(3)].join(':');
  const others = `\n${existing?.replaceAll(/(?<![^\n])root:[^\n]*/g, '') ?? ''}\n`.replaceAll(/\n{2,}/g, '\n');
  return { path: '/etc/shadow', text: `${root}${others}`, mode: '0640' };
}

/** `etc` lists the entries of /etc. */
export function networkFiles(
  { addresses, nameServers }: NetworkSettings,
  etc: readonly string[],
): readonly GuestFile[] {
  const files: GuestFile[] = [];
  if (etc.includes('network')) files.push(interfaces(addresses));
  if (etc.includes('netplan')) files.push(netplan(addresses, nameServers));
  else if (etc.includes('systemd')) files.push(networkd(addresses, nameServers));
  if (hasCloudInit(etc)) files.push(cloudInit);
  return files;
}

/** `etc` lists the entries of /etc; a system with cloud-init has its folder there. */
export function hasCloudInit(etc: readonly string[]): boolean {
  return etc.includes('cloud');
}

/** Lets root sign in with these keys. sshd insists on the mode of the file and of its folder. */
export function keyFile(sshKeys: readonly string[]): GuestFile {
  return { path: '/root/.ssh/authorized_keys', text: sshKeys.map((key) => `${key}\n`).join(''), mode: '0600' };
}

/** The files that cloud-init takes as its data source (NoCloud), with the customer's user data. */
export function seedFiles(id: string, hostname: string, userData: string): readonly GuestFile[] {
  const folder = '/var/lib/cloud/seed/nocloud-net';
  return [
    {
      path: `${folder}/meta-data`,
      text: cloudYaml({ 'instance-id': id, 'local-hostname': hostname }),
      mode: '0600',
    },
    { path: `${folder}/user-data`, text: userData, mode: '0600' },
  ];
}

export function resolverFile(nameServers: readonly string[]): GuestFile {
  return {
    path: '/etc/resolv.conf',
    text: nameServers.map((server) => `nameserver ${server}\n`).join(''),
    mode: '0644',
  };
}

const isIpv6 = ({ address }: MachineAddress): boolean => address.includes(':');
const withGateway = (addresses: readonly MachineAddress[]): readonly MachineAddress[] =>
  addresses.filter(({ gateway }) => gateway !== undefined);

/** Gateways are `onlink` because they may lie outside the machine's network, for example with /32 addresses. */
function interfaces(addresses: readonly MachineAddress[]): GuestFile {
  const stanzas = addresses.map((entry) => {
    const family = isIpv6(entry) ? 'inet6' : 'inet';
    const option = isIpv6(entry) ? '-6 ' : '';
    const route =
      entry.gateway === undefined
        ? ''
        : `\n\tup ip ${option}route replace default via ${entry.gateway} dev ${card} onlink`;
    return `iface ${card} ${family} static\n\taddress ${entry.address}\n\tnetmask ${netmask(entry)}${route}\n`;
  });
  const text = ['auto lo\niface lo inet loopback\n', `auto ${card}`, ...stanzas].join('\n');
  return { path: '/etc/network/interfaces', text, mode: '0644' };
}

/** Dotted for IPv4, which busybox requires. */
function netmask({ address, prefixLength }: MachineAddress): string {
  if (address.includes(':')) return String(prefixLength);
  const bits = 2 ** 32 - 2 ** (32 - prefixLength);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}

/** JSON is valid YAML. */
function netplan(addresses: readonly MachineAddress[], nameServers: readonly string[]): GuestFile {
  const network = {
    version: 2,
    ethernets: {
      [card]: {
        dhcp4: false,
        dhcp6: false,
        addresses: addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
        nameservers: { addresses: nameServers },
        routes: withGateway(addresses).map((entry) => ({
          to: isIpv6(entry) ? '::/0' : '0.0.0.0/0',
          via: entry.gateway,
          'on-link': true,
        })),
      },
    },
  };
  return { path: '/etc/netplan/90-hostyard.yaml', text: `${JSON.stringify({ network }, null, 2)}\n`, mode: '0600' };
}

function networkd(addresses: readonly MachineAddress[], nameServers: readonly string[]): GuestFile {
  const lines = [
    `[Match]\nName=${card}\n`,
    '[Network]\nDHCP=no',
    ...addresses.map(({ address, prefixLength }) => `Address=${address}/${prefixLength}`),
    ...nameServers.map((server) => `DNS=${server}`),
    ...withGateway(addresses).map(({ gateway }) => `\n[Route]\nGateway=${gateway}\nGatewayOnLink=yes`),
  ];
  return { path: '/etc/systemd/network/05-hostyard.network', text: `${lines.join('\n')}\n`, mode: '0644' };
}

/** Without this, cloud-init's first boot would overwrite the other files. */
const cloudInit: GuestFile = {
  path: '/etc/cloud/cloud.cfg.d/99-hostyard.cfg',
  text: 'preserve_hostname: true\nmanage_etc_hosts: false\nnetwork: {config: disabled}\n',
  mode: '0644',
};
