// Unattended installations with debian-installer. Its network is configured before it can fetch anything, hence on the
// kernel's command line; the rest is in a preseed file and two small scripts.
import type { SystemSource } from '#contract/site/systems.ts';
import type { BootBase, InstallInput, RenderedBoot } from './input.ts';
import { targetSerial } from './check.ts';
import { diskFunctions, findDisk, reportFunction, runFetched } from './disk-script.ts';
import { bootInstaller } from './ipxe.ts';
import { installNetwork } from './network.ts';
import { authorizedKeys, printCommand, shellWord, splitHostname } from './text.ts';

export function renderPreseed(source: SystemSource, input: InstallInput, base: BootBase): RenderedBoot {
  return {
    script: bootInstaller(base, [...commandLine(input, base), ...(source.kernelOptions?.split(' ') ?? [])]),
    files: {
      'preseed.cfg': preseed(source, input, base),
      'disk.sh': diskScript(source, input, base),
      'late.sh': lateScript(input, base),
    },
    passwordFile: 'preseed.cfg',
  };
}

function commandLine(input: InstallInput, base: BootBase): string[] {
  const { v4, v6 } = installNetwork(input);
  const { host, domain } = splitHostname(input.hostname);
  const main = v4 ?? v6;
  return [
    'auto=true',
    'priority=critical',
    `url=${base}/preseed.cfg`,
    `BOOTIF=01-${input.mac.replaceAll(':', '-')}`,
    'interface=auto',
    `hostname=${host}`,
    `domain=${domain}`,
    'netcfg/disable_autoconfig=true',
    'netcfg/confirm_static=true',
    ...(main === undefined
      ? []
      : [`netcfg/get_ipaddress=${main.address}`, `netcfg/get_netmask=${v4?.netmask ?? `/${main.prefix}`}`]),
    ...(main?.gateway === undefined ? [] : [`netcfg/get_gateway=${main.gateway}`]),
    `netcfg/get_nameservers=${input.nameservers[0] ?? ''}`,
  ];
}

function preseed({ mirror = '', release = '' }: SystemSource, input: InstallInput, base: BootBase): string {
  const { protocol, host, pathname } = new URL(mirror);
  const scheme = protocol.replace(':', '');
  const fetched = (name: string): string => runFetched('wget -q -O', base, name);
  const answers: [question: string, type: string, value: string][] = [
    ['debian-installer/locale', 'string', 'en_US.UTF-8'],
    ['keyboard-configuration/xkb-keymap', 'select', 'us'],
    ['netcfg/get_hostname', 'string', splitHostname(input.hostname).host],
    ['netcfg/get_domain', 'string', splitHostname(input.hostname).domain],
    ['mirror/country', 'string', 'manual'],
    ['mirror/protocol', 'string', scheme],
    [`mirror/${scheme}/hostname`, 'string', host],
    [`mirror/${scheme}/directory`, 'string', pathname.replace(/\/$/, '') || '/'],
    [`mirror/${scheme}/proxy`, 'string', ''],
    ['mirror/suite', 'string', release],
    ['clock-setup/utc', 'boolean', 'true'],
    ['time/zone', 'string', 'Etc/UTC'],
    ['passwd/root-login', 'boolean', 'true'],
    ['passwd/make-user', 'boolean', 'false'],
    ['passwd/root-password-crypted', 'password', input.passwordHash],
    // The installer would stop at a command that fails and wait for someone at the keyboard.
    ['preseed/early_command', 'string', `wget -q -O /dev/null '${base}/report?phase=Installing&percent=1' || true`],
    ['partman/early_command', 'string', fetched('disk.sh')],
    ['partman-auto/method', 'string', 'regular'],
    ['partman-auto/choose_recipe', 'select', 'atomic'],
    ['partman-partitioning/confirm_write_new_label', 'boolean', 'true'],
    ['partman-lvm/device_remove_lvm', 'boolean', 'true'],
    ['partman-md/device_remove_md', 'boolean', 'true'],
    ['partman/choose_partition', 'select', 'finish'],
    ['partman/confirm', 'boolean', 'true'],
    ['partman/confirm_nooverwrite', 'boolean', 'true'],
    ['tasksel/first', 'multiselect', 'standard, ssh-server'],
    ['popularity-contest/participate', 'boolean', 'false'],
    ['grub-installer/only_debian', 'boolean', 'true'],
    ['grub-installer/with_other_os', 'boolean', 'false'],
    ['preseed/late_command', 'string', fetched('late.sh')],
    ['finish-install/reboot_in_progress', 'note', ''],
  ];
  return answers.map(([question, type, value]) => `d-i ${question} ${type} ${value}`.trimEnd() + '\n').join('');
}

/** Tells the partitioner and the boot loader which disk to use. If that disk is missing, nothing is written. */
function diskScript({ leastDiskGb }: SystemSource, input: InstallInput, base: BootBase): string {
  return `#!/bin/sh
${reportFunction(base)}${diskFunctions}
${findDisk(targetSerial(input, leastDiskGb), '  poweroff\n')}debconf-set partman-auto/disk "$disk"
debconf-set grub-installer/bootdev "$disk"
`;
}

function lateScript(input: InstallInput, base: BootBase): string {
  const { v4, v6, more } = installNetwork(input);
  const others = v4 !== undefined && v6 !== undefined ? [v6] : [];
  const stanzas = [
    ...others.map(({ address, prefix, gateway }) =>
      [
        `iface NIC inet6 static`,
        `  address ${address}/${prefix}`,
        ...(gateway === undefined ? [] : [`  gateway ${gateway}`]),
      ].join('\n'),
    ),
    ...more.map((address) => `iface NIC ${address.includes(':') ? 'inet6' : 'inet'} static\n  address ${address}`),
  ];
  return `#!/bin/sh
${reportFunction(base)}
umask 077
mkdir -p /target/root/.ssh
${printCommand(authorizedKeys(input))} >/target/root/.ssh/authorized_keys
umask 022
mkdir -p /target/etc/ssh/sshd_config.d
echo 'PermitRootLogin yes' >/target/etc/ssh/sshd_config.d/root.conf
for nic in /sys/class/net/*; do
  [ "$(cat "$nic/address")" = ${shellWord(input.mac)} ] || continue
  ${printCommand(stanzas.map((stanza) => `${stanza}\n`).join(''))} | sed "s/NIC/\${nic##*/}/" >>/target/etc/network/interfaces
done
sync
report Completed 100
`;
}
