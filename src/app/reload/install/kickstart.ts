// An unattended installation of the RHEL family, by Anaconda.
import type { SystemSource } from '#contract/site/systems.ts';
import { targetSerial } from './check.ts';
import { diskFunctions, findDisk, reportFunction } from './disk-script.ts';
import type { BootBase, InstallInput, RenderedBoot } from './input.ts';
import { bootInstaller } from './ipxe.ts';
import { installNetwork } from './network.ts';
import { authorizedKeys, printCommand, shellWord } from './text.ts';

const fetch = 'curl -fs -o /dev/null';

export function renderKickstart(source: SystemSource, input: InstallInput, base: BootBase): RenderedBoot {
  const { mirror = '', kernelOptions, leastDiskGb } = source;
  const { v4, v6 } = installNetwork(input);
  const boot = [
    `inst.ks=${base}/kickstart.cfg`,
    `inst.repo=${mirror}`,
    'inst.text',
    `ifname=main:${input.mac}`,
    ...(v4 === undefined ? [] : [`ip=${v4.address}::${v4.gateway ?? ''}:${v4.netmask}:${input.hostname}:main:none`]),
    ...(v4 !== undefined || v6 === undefined
      ? []
      : [
          `ip=[${v6.address}]::${v6.gateway === undefined ? '' : `[${v6.gateway}]`}:${v6.prefix}:${input.hostname}:main:none`,
        ]),
    ...input.nameservers.map((server) => `nameserver=${server.includes(':') ? `[${server}]` : server}`),
    ...(kernelOptions?.split(' ') ?? []),
  ];
  return {
    script: bootInstaller(base, boot),
    files: { 'kickstart.cfg': kickstart(mirror, targetSerial(input, leastDiskGb), input, base) },
    passwordFile: 'kickstart.cfg',
  };
}

function kickstart(mirror: string, serial: string, input: InstallInput, base: BootBase): string {
  return `text
reboot
url --url=${mirror}
lang en_US.UTF-8
keyboard us
timezone UTC --utc
${networkLine(input)}
rootpw --iscrypted ${input.passwordHash}
selinux --enforcing
firstboot --disable
services --enabled=sshd
zerombr
%include /tmp/disk.ks
autopart --type=plain
%packages
@core
openssh-server
%end
%pre --interpreter=/bin/bash --erroronfail
${reportFunction(base, fetch)}${diskFunctions}
${findDisk(serial)}name=\${disk##*/}
printf 'ignoredisk --only-use=%s\\nclearpart --all --initlabel --drives=%s\\nbootloader --boot-drive=%s\\n' "$name" "$name" "$name" >/tmp/disk.ks
%end
%post --interpreter=/bin/bash
umask 077
mkdir -p /root/.ssh
${printCommand(authorizedKeys(input))} >/root/.ssh/authorized_keys
restorecon -R /root/.ssh || true
mkdir -p /etc/ssh/sshd_config.d
echo 'PermitRootLogin yes' >/etc/ssh/sshd_config.d/00-root.conf
${addAddresses(input)}%end
%post --nochroot --interpreter=/bin/bash
${reportFunction(base, fetch)}
sync
report Completed 100
%end
%onerror --interpreter=/bin/bash
${reportFunction(base, fetch)}
report Failed 0 "The installer stopped with an error."
%end
`;
}

function networkLine(input: InstallInput): string {
  const { v4, v6 } = installNetwork(input);
  return [
    'network',
    `--device=${input.mac}`,
    `--hostname=${input.hostname}`,
    '--activate',
    ...(v4 === undefined ? ['--noipv4'] : ['--bootproto=static', `--ip=${v4.address}`, `--netmask=${v4.netmask}`]),
    ...(v4?.gateway === undefined ? [] : [`--gateway=${v4.gateway}`]),
    ...(v6 === undefined ? ['--noipv6'] : [`--ipv6=${v6.address}/${v6.prefix}`]),
    ...(v6?.gateway === undefined ? [] : [`--ipv6gateway=${v6.gateway}`]),
    ...(input.nameservers.length === 0 ? ['--nodns'] : [`--nameserver=${input.nameservers.join(',')}`]),
  ].join(' ');
}

/**
 * The command `network` takes one address of each family, so the others are added to the file that the installer wrote: a
 * connection of NetworkManager, or in version 8 a file of network-scripts.
 */
function addAddresses(input: InstallInput): string {
  const { v4, v6, more } = installNetwork(input);
  const main = v4 ?? v6;
  if (main === undefined || more.length === 0) return '';
  const [more4, more6] = [false, true].map((isSix) => more.filter((address) => address.includes(':') === isSix));
  const inSection = (name: string, addresses: readonly string[]): string[] =>
    addresses.length === 0
      ? []
      : [`/^\\[${name}\\]$/a ${addresses.map((address, index) => `address${index + 2}=${address}`).join('\\n')}`];
  const edits = [...inSection('ipv4', more4!), ...inSection('ipv6', more6!)].map((edit) => `-e ${shellWord(edit)}`);
  const lines = [
    ...more4!.map((address, index) => `IPADDR${index + 1}=${address.replace('/', `\nPREFIX${index + 1}=`)}`),
    ...(more6!.length === 0 ? [] : [`IPV6ADDR_SECONDARIES="${more6!.join(' ')}"`]),
  ];
  return `for file in $(grep -lsF 'address1=${main.address}/' /etc/NetworkManager/system-connections/*); do
  sed -i ${edits.join(' ')} "$file"
done
for file in $(grep -lsE '^IP(V6)?ADDR="?${main.address}([/"]|$)' /etc/sysconfig/network-scripts/ifcfg-*); do
  ${printCommand(lines.map((line) => `${line}\n`).join(''))} >>"$file"
done
`;
}
