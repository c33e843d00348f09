// Unattended installations with Ubuntu's live installer, and the cloud-init seed for images.
import type { SystemSource } from '#contract/site/systems.ts';
import { cloudYaml } from '#lib/cloud-yaml.ts';
import { sha256Hex } from '#lib/secrets.ts';
import { targetSerial } from './check.ts';
import { diskFunctions, findDisk, reportFunction, runFetched } from './disk-script.ts';
import type { BootBase, InstallInput, RenderedBoot } from './input.ts';
import { bootInstaller } from './ipxe.ts';
import { installNetwork, netplan } from './network.ts';

const fetch = 'curl -fs -o /dev/null';
/** A placeholder in the answers until the installer knows the disk's device name. */
const diskPlace = '/dev/hostyard-disk';

export function renderAutoinstall(source: SystemSource, input: InstallInput, base: BootBase): RenderedBoot {
  const { kernelOptions, leastDiskGb } = source;
  const { v4 } = installNetwork(input);
  const boot = [
    `url=${base}/image`,
    'autoinstall',
    // Boot loader files would need the semicolon escaped; on iPXE's command line it is plain.
    `ds=nocloud-net;s=${base}/`,
    'cloud-config-url=/dev/null',
    `BOOTIF=01-${input.mac.replaceAll(':', '-')}`,
    v4 === undefined ? 'ip=dhcp' : `ip=${v4.address}::${v4.gateway ?? ''}:${v4.netmask}:::none`,
    ...(kernelOptions?.split(' ') ?? []),
  ];
  return {
    script: bootInstaller(base, boot),
    files: {
      'user-data': cloudConfig({ autoinstall: answers(input, base) }),
      'meta-data': metaData(input, base),
      'vendor-data': '',
      'disk.sh': diskScript(targetSerial(input, leastDiskGb), base),
      'end.sh': `#!/bin/sh\n${reportFunction(base, fetch)}report "$@"\n`,
    },
    passwordFile: 'user-data',
  };
}

/** Returns the seed from which cloud-init sets an image's hostname, network and login. */
export function cloudSeed(input: InstallInput, base: BootBase): Readonly<Record<string, string>> {
  return {
    'user-data': cloudConfig(firstBoot(input)),
    'meta-data': metaData(input, base),
    'network-config': cloudYaml(netplan(input)),
  };
}

function answers(input: InstallInput, base: BootBase): object {
  const run = (name: string): string => runFetched('curl -fs -o', base, name);
  return {
    version: 1,
    locale: 'en_US.UTF-8',
    keyboard: { layout: 'us' },
    'early-commands': [run('disk.sh')],
    network: netplan(input),
    storage: { layout: { name: 'direct', match: { path: diskPlace } } },
    ssh: { 'install-server': true, 'allow-pw': true },
    'user-data': firstBoot(input),
    'late-commands': [`${run('end.sh')} Completed 100`],
    'error-commands': [`${run('end.sh')} Failed 0 "The installer stopped with an error."`],
    shutdown: 'reboot',
  };
}

function firstBoot(input: InstallInput): object {
  return {
    hostname: input.hostname.split('.')[0],
    fqdn: input.hostname,
    disable_root: false,
    ssh_pwauth: true,
    users: [
      {
        name: 'root',
        lock_passwd: false,
        hashed_passwd: input.passwordHash,
        ssh_authorized_keys: input.sshKeys,
      },
    ],
  };
}

function diskScript(serial: string, base: BootBase): string {
  return `#!/bin/sh
${reportFunction(base, fetch)}${diskFunctions}
${findDisk(serial)}sed -i "s|${diskPlace}|$disk|" /autoinstall.yaml
`;
}

/** Each installation gets a new instance id, so that cloud-init runs again. */
function metaData({ hostname }: InstallInput, base: BootBase): string {
  const instance = sha256Hex(base).slice(0, 16);
  return cloudYaml({ 'instance-id': `i-${instance}`, 'local-hostname': hostname });
}

function cloudConfig(content: object): string {
  return `#cloud-config\n${cloudYaml(content)}`;
}
