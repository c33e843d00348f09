// Names of the lab's products. The documents name systems and licences only by letters and numbers, as identifiers that
// scripts use; what people read is up to the provider.

const families: Readonly<Record<string, string>> = {
  'OS-A': 'CentOS',
  'OS-B': 'Debian',
  'OS-C': 'VMware ESXi',
  'OS-D': 'Fedora',
  'OS-E': 'FreeBSD',
  'OS-F': 'MikroTik RouterOS',
  'OS-G': 'Ubuntu',
  'OS-H': 'XenServer',
  'OS-I': 'Proxmox VE',
  'OS-J': 'CloudLinux',
};

/** `OS-G 12.04, 64-bit` becomes `Ubuntu 12.04 (64-bit)`. */
export function systemName(label: string): string {
  return withFamily(label)
    .replace(' hypervisor', ' 5.1')
    .replace('Boot disc', 'GParted Live')
    .replace(/, (\d+-bit)$/, ' ($1)');
}

/** `OS-A_6.5_x86_64_minimal.iso` becomes `CentOS 6.5 x86_64 minimal`. */
export function imageName(file: string): string {
  return withFamily(file.replace('.iso', ''))
    .replace(/OS(\d)(\d+)$/, 'OS $1.$2')
    .replace(/_bin-(\d)of(\d)$/, ' (disc $1 of $2)')
    .replace(/-(?:install-cd|SP\d)/g, (part) => part.replaceAll('-', ' '))
    .replace(/(?<! x86)_(?=\w)|-(?=\d)/g, ' ')
    .replace('x86 64', 'x86_64');
}

/** The name of a system on its console; Debian, the one that servers are delivered with, if the text names none. */
export function systemTitle(text: string): string {
  const [name = ''] = text.split('\n');
  const isSystem = [...Object.values(families), 'Alpine', 'GParted', 'Rescue'].some((family) =>
    name.startsWith(family),
  );
  return isSystem ? name.replace(/^Debian (?=\d)/, 'Debian GNU/Linux ') : 'Debian GNU/Linux 12';
}

const kernelVersions: readonly (readonly [system: RegExp, version: string])[] = [
  [/^Ubuntu 24/, '6.8.0-45-generic'],
  [/^Alpine/, '6.6.41-0-virt'],
  [/^(?:CentOS|CloudLinux|Proxmox)/, '2.6.32-431.el6.x86_64'],
  [/^Ubuntu/, '3.2.0-67-generic'],
];

export function kernelVersion(system: string): string {
  return kernelVersions.find(([pattern]) => pattern.test(system))?.[1] ?? '6.1.0-26-amd64';
}

function withFamily(text: string): string {
  return text.replace(/^OS-[A-J]/, (family) => families[family]!);
}

const panels: Readonly<Record<string, string>> = {
  PANEL1: 'cPanel & WHM',
  PANEL2: 'DirectAdmin',
  PANEL3: 'InterWorx',
  PANEL4_10: 'Plesk, 10 domains',
  PANEL4_100: 'Plesk, 100 domains',
  PANEL4_UNLIMITED: 'Plesk, unlimited domains',
};

/** `VPS_PANEL4_10_POWERPACK` becomes `Plesk, 10 domains, with Power Pack`. */
export function licenceProduct(name: string): string {
  const [, panel = '', pack] = /^[A-Z]+_(.*?)(_POWERPACK)?$/.exec(name) ?? [];
  return `${panels[panel] ?? panel}${pack === undefined ? '' : ', with Power Pack'}`;
}
