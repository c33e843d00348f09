// A lab server that boots from the network. Like iPXE it fetches its script and everything the script names, then acts
// as the installer: it reads its answer file, reports progress, writes its disk, and ends with the new root password. It
// erases its disks as the erasing system does.
import { stringify } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BootEnd, BootHook, LabBoot } from './bmc/serial.ts';

export interface LabNetworkBootOptions {
  readonly mac: string;
  readonly uuid: string;
  /** The boot server's URL, or undefined before it runs. */
  url(): string | undefined;
  /** How long an installation takes. */
  readonly installMs: number;
}

const steps = 8;
const kernelLine = /^kernel (\S+) (.*?)(?: \|\| goto \w+)?$/m;
const initrdLines = /^initrd (?:--name \S+ )?(http\S+)/gm;
/** The kernel option that tells each installer its answer file, and the other files it fetches from there. */
const installers = [
  { option: /(?:^| )url=(\S+)\/preseed\.cfg/, answers: 'preseed.cfg', more: ['disk.sh', 'late.sh'], image: false },
  { option: /(?:^| )inst\.ks=(\S+)\/kickstart\.cfg/, answers: 'kickstart.cfg', more: [], image: false },
  { option: /(?:^| )ds=nocloud-net;s=(\S+)\//, answers: 'user-data', more: ['meta-data', 'disk.sh'], image: true },
];
const memoryMb = 32_768;
const bytesPerGb = 1e9;
const rootHash = /\$6\$[./0-9A-Za-z]+\$[./0-9A-Za-z]+/;

export function labNetworkBoot({ mac, uuid, url, installMs }: LabNetworkBootOptions): BootHook {
  const path = `boot/ipxe/${encodeURIComponent(mac)}?uuid=${uuid}`;
  return (boot) => {
    const from = url();
    return boot.device === 'pxe' && from !== undefined
      ? bootFromNetwork(boot, `${from}/${path}`, installMs)
      : undefined;
  };
}

async function bootFromNetwork(boot: LabBoot, scriptUrl: string, installMs: number): Promise<BootEnd> {
  const { print, signal } = boot;
  const get = async (link: string): Promise<string> => {
    print(`${link.replace(/\/boot\/[0-9a-f]{16,}\//, '/boot/.../')}... `);
    const response = await fetch(link, { signal });
    const text = await response.text();
    print(response.ok ? 'ok\r\n' : `${response.status}\r\n`);
    if (!response.ok) throw new Error(`the boot server responded with ${response.status}`);
    return text;
  };
  print('\r\nHostyard Lab BIOS 2.4\r\niPXE 1.21.1 -- Open Source Network Boot Firmware\r\nnet0: link up\r\n');
  const script = await get(scriptUrl);
  const [, kernel, options = ''] = kernelLine.exec(script) ?? [];
  // Nothing to do: the firmware continues with the disk.
  if (kernel === undefined) return 'reboot';
  await get(kernel);
  const base = kernel.slice(0, kernel.lastIndexOf('/'));
  const initrds = [...script.matchAll(initrdLines)].map(([, link]) => link!);
  const fetched = new Map<string, string>();
  for (const link of initrds) fetched.set(link, await get(link));
  const send = async (values: Record<string, string | number>): Promise<void> => {
    const response = await fetch(`${base}/report?${stringify(values)}`, { signal });
    await response.arrayBuffer();
  };
  const report = (phase: string, percent: number): Promise<void> => send({ phase, percent });
  const work = async (title: string): Promise<void> => {
    for (let step = 1; step <= steps; step++) {
      await sleep(installMs / steps, undefined, { signal });
      print(`${title}: ${Math.floor((step / steps) * 100)}%\r\n`);
      await report('Installing', Math.floor((step / (steps + 1)) * 100));
    }
  };

  const program = fetched.get(`${base}/init`);
  if (program?.includes('phase=Erased') === true) {
    await work('Erasing');
    await eraseDisks(boot, send);
    return 'off';
  }
  const installer = installers.find(({ option }) => option.test(options));
  const answers = program ?? (installer === undefined ? '' : await get(`${base}/${installer.answers}`));
  const hash = rootHash.exec(answers)?.[0];
  if (hash === undefined) throw new Error('the answer file contains no root password hash');
  await report('Installing', 0);
  for (const file of installer?.more ?? []) await get(`${base}/${file}`);
  const hasImage = installer?.image === true || program?.includes(`${base}/image`) === true;
  if (hasImage) await get(`${base}/image`);
  // A rescue system is recognized by its own login.
  if (program?.includes('getty') === true) {
    boot.setRootHash(hash, 'memory');
    await report('Completed', 100);
    return 'login';
  }
  await work('Installing');
  const [disk] = boot.disks.present;
  if (disk !== undefined && (installer !== undefined || hasImage))
    boot.disks.write(disk, 'A system installed over the network');
  boot.setRootHash(hash, 'disk');
  await report('Completed', 100);
  print('Installation complete.\r\n');
  return 'reboot';
}

async function eraseDisks(
  { disks, print }: LabBoot,
  send: (values: Record<string, string | number>) => Promise<void>,
): Promise<void> {
  const { present } = disks;
  for (const [position, disk] of present.entries()) {
    const result = disks.erase(disk) ? 'erased' : 'failed';
    print(`hostyard: disk ${disk.serial} ${result}\r\n`);
    await send({
      phase: 'Erased',
      index: position + 1,
      serial: disk.serial,
      bytes: disk.sizeGb * bytesPerGb,
      method: result === 'erased' ? 'discard' : 'overwrite',
      seconds: 1,
      result,
    });
  }
  await send({ phase: 'Completed', percent: 100, disks: present.length, memory: memoryMb });
}
