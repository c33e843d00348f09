// An unattended installation of the RHEL family, by Anaconda.
import { targetSerial } from './check.ts';
import { diskFunctions, findDisk, reportFunction } from './disk-script.ts';
import type { BootBase, InstallInput, RenderedBoot, SystemSource } from './input.ts';
import { bootInstaller } from './ipxe.ts';
import { installNetwork } from './network.ts';
import { authorizedKeys, printCommand } from './text.ts';

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
%end
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
