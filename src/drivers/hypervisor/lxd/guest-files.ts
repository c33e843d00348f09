// What a system is told of itself, as the files in /etc that hold it: hostname, root's password, addresses. Texts in, texts
// out; the same for a system that runs and one that does not, for busybox and for a large distribution. Each of the usual
// ways to set up a network gets its file where the system has that way; all say the same.
import { cryptHash } from '#kernel/crypt-hash.ts';
import type { MachineAddress, SystemBuild } from '../driver.ts';

export interface GuestFile {
  readonly path: string;
  readonly text: string;
  /** Octal, as chmod takes it. */
  readonly mode: string;
}

const card = 'eth0';
const msPerDay = 86_400_000;

export function hostnameFile(hostname: string): GuestFile {
  return { path: '/etc/hostname', text: `${hostname}\n`, mode: '0644' };
}

/** So that the name of the system means the system, whatever the resolver says. */
export function hostsFile(present: string | undefined, hostname: string): GuestFile {
  const lines = (present ?? '127.0.0.1\tlocalhost\n').split('\n').filter((line) => !/^127\.0\.1\.1\s/.test(line));
  while (lines.at(-1) === '') lines.pop();
  const [short] = hostname.split('.');
  const names = short === hostname ? hostname : `${hostname} ${short}`;
  return { path: '/etc/hosts', text: `${[...lines, `127.0.1.1\t${names}`].join('\n')}\n`, mode: '0644' };
}

/** With root's password as of today; all others keep theirs. */
export function shadowFile(present: string | undefined, password: string, nowMs: number): GuestFile {
  const lines = (present ?? '').split('\n').filter((line) => line !== '');
  const entry = (lines.find((line) => line.startsWith('root:')) ?? 'root:::0:99999:7:::').split(':');
  const root = ['root', cryptHash(password), String(Math.floor(nowMs / msPerDay)), ...entry.slice(3)].join(':');
  const others = lines.filter((line) => !line.startsWith('root:'));
  return { path: '/etc/shadow', text: `${[root, ...others].join('\n')}\n`, mode: '0640' };
}

/** `etc` is what the system has in that folder. */
export function networkFiles(
  { addresses, nameServers }: Pick<SystemBuild, 'addresses' | 'nameServers'>,
  etc: readonly string[],
): readonly GuestFile[] {
  const files: GuestFile[] = [];
  if (etc.includes('network')) files.push(interfaces(addresses));
  if (etc.includes('netplan')) files.push(netplan(addresses, nameServers));
  else if (etc.includes('systemd')) files.push(networkd(addresses, nameServers));
  if (etc.includes('cloud')) files.push(cloudInit);
  return files;
}

export function resolverFile(nameServers: readonly string[]): GuestFile {
  return { path: '/etc/resolv.conf', text: nameServers.map((each) => `nameserver ${each}\n`).join(''), mode: '0644' };
}

const isSix = ({ address }: MachineAddress): boolean => address.includes(':');
const gatewaysOf = (addresses: readonly MachineAddress[]): readonly MachineAddress[] =>
  addresses.filter(({ gateway }) => gateway !== undefined);

/** The way out may lie outside of the machine's network, as where each machine has an address alone: `onlink`. */
function interfaces(addresses: readonly MachineAddress[]): GuestFile {
  const stanzas = addresses.map((each) => {
    const family = isSix(each) ? 'inet6' : 'inet';
    const option = isSix(each) ? '-6 ' : '';
    const way =
      each.gateway === undefined
        ? ''
        : `\n\tup ip ${option}route replace default via ${each.gateway} dev ${card} onlink`;
    return `iface ${card} ${family} static\n\taddress ${each.address}\n\tnetmask ${maskOf(each)}${way}\n`;
  });
  const text = ['auto lo\niface lo inet loopback\n', `auto ${card}`, ...stanzas].join('\n');
  return { path: '/etc/network/interfaces', text, mode: '0644' };
}

/** In dots, as the smallest of those who read it want it. */
function maskOf({ address, prefixLength }: MachineAddress): string {
  if (address.includes(':')) return String(prefixLength);
  const bits = 2 ** 32 - 2 ** (32 - prefixLength);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}

/** YAML takes JSON. */
function netplan(addresses: readonly MachineAddress[], nameServers: readonly string[]): GuestFile {
  const network = {
    version: 2,
    ethernets: {
      [card]: {
        dhcp4: false,
        dhcp6: false,
        addresses: addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
        nameservers: { addresses: nameServers },
        routes: gatewaysOf(addresses).map((each) => ({
          to: isSix(each) ? '::/0' : '0.0.0.0/0',
          via: each.gateway,
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
    ...nameServers.map((each) => `DNS=${each}`),
    ...gatewaysOf(addresses).map(({ gateway }) => `\n[Route]\nGateway=${gateway}\nGatewayOnLink=yes`),
  ];
  return { path: '/etc/systemd/network/05-hostyard.network', text: `${lines.join('\n')}\n`, mode: '0644' };
}

/** Else its first boot would undo the rest. */
const cloudInit: GuestFile = {
  path: '/etc/cloud/cloud.cfg.d/99-hostyard.cfg',
  text: 'preserve_hostname: true\nmanage_etc_hosts: false\nnetwork: {config: disabled}\n',
  mode: '0644',
};
