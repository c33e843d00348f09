// A lab server that boots from the network. Like iPXE it fetches its script and everything the script names, then acts
// as the installer: it reads its answer file, reports progress, writes its disk, and ends with the new root password. It
// erases its disks as the erasing system does. A restart of the lab only pauses it.
import { stringify } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BootEnd, BootHook, LabBoot, NetworkBootProgress } from './bmc/serial.ts';
import { kernelHeading } from './systems.ts';

export interface LabNetworkBootOptions {
  readonly mac: string;
  readonly uuid: string;
  /** The boot server's URL, or undefined before it runs. */
  url(): string | undefined;
  /** The same once it runs, for a boot that continues. */
  readonly whenServed: Promise<string>;
  /** How long an installation takes. */
  readonly installMs: number;
  readonly memoryMb: number;
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
const bytesPerGb = 1e9;
/** Of a boot with another kernel than the lab's own, as in tests. */
const defaultSystem = 'Debian 12';
const rootHash = /\$6\$[./0-9A-Za-z]+\$[./0-9A-Za-z]+/;

export function labNetworkBoot(options: LabNetworkBootOptions): BootHook {
  const { mac, uuid, url, whenServed } = options;
  const path = `boot/ipxe/${encodeURIComponent(mac)}?uuid=${uuid}`;
  return (boot) => {
    const from = boot.resumed === undefined ? url() : whenServed;
    return boot.device === 'pxe' && from !== undefined ? bootFromNetwork(boot, from, path, options) : undefined;
  };
}

async function bootFromNetwork(
  boot: LabBoot,
  from: string | Promise<string>,
  path: string,
  { installMs, memoryMb }: LabNetworkBootOptions,
): Promise<BootEnd> {
  const { print, signal } = boot;
  let progress: NetworkBootProgress = boot.resumed ?? { steps: 0 };
  const save = (next: Partial<NetworkBootProgress>): void => boot.saveProgress((progress = { ...progress, ...next }));
  save({});
  const url = await from;
  if (progress.work === undefined) {
    const work = await loadSystem(boot, `${url}/${path}`);
    // Nothing to do: the firmware continues with the disk.
    if (work === undefined) return 'reboot';
    save({ work });
  }
  const { kind, folder, rootHash: hash = '', system = '' } = progress.work!;
  const send = async (values: Record<string, string | number>): Promise<void> => {
    const response = await fetch(`${new URL(folder, url).href}/report?${stringify(values)}`, { signal });
    await response.arrayBuffer();
  };
  const report = (phase: string, percent: number): Promise<void> => send({ phase, percent });
  const run = async (title: string): Promise<void> => {
    for (let step = progress.steps + 1; step <= steps; step++) {
      await sleep(installMs / steps, undefined, { signal });
      print(`${title}: ${Math.floor((step / steps) * 100)}%\r\n`);
      await report('Installing', Math.floor((step / (steps + 1)) * 100));
      save({ steps: step });
    }
  };

  if (kind === 'erase') {
    await run('Erasing');
    await eraseDisks(boot, memoryMb, send);
    return 'off';
  }
  if (kind === 'rescue') {
    boot.setRootHash(hash, 'memory', system);
    await report('Completed', 100);
    return 'login';
  }
  await report('Installing', 0);
  await run('Installing');
  const [disk] = boot.disks.present;
  if (disk !== undefined && kind === 'install') boot.disks.write(disk, system);
  boot.setRootHash(hash, 'disk');
  await report('Completed', 100);
  print('Installation complete.\r\n');
  return 'reboot';
}

/** Fetches everything that the boot script names, and returns what it does; undefined if that is nothing. */
async function loadSystem({ print, signal }: LabBoot, scriptUrl: string): Promise<NetworkBootProgress['work']> {
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
  if (kernel === undefined) return undefined;
  const [heading = ''] = (await get(kernel)).split('\n');
  const system = heading.startsWith(kernelHeading) ? heading.slice(kernelHeading.length) : defaultSystem;
  const base = kernel.slice(0, kernel.lastIndexOf('/'));
  const folder = new URL(base).pathname;
  const initrds = [...script.matchAll(initrdLines)].map(([, link]) => link!);
  const fetched = new Map<string, string>();
  for (const link of initrds) fetched.set(link, await get(link));

  const program = fetched.get(`${base}/init`);
  if (program?.includes('phase=Erased') === true) return { kind: 'erase', folder };
  const installer = installers.find(({ option }) => option.test(options));
  const answers = program ?? (installer === undefined ? '' : await get(`${base}/${installer.answers}`));
  const hash = rootHash.exec(answers)?.[0];
  if (hash === undefined) throw new Error('the answer file contains no root password hash');
  for (const file of installer?.more ?? []) await get(`${base}/${file}`);
  const hasImage = installer?.image === true || program?.includes(`${base}/image`) === true;
  if (hasImage) await get(`${base}/image`);
  // A rescue system is recognized by its own login.
  const isRescue = program?.includes('getty') === true;
  const kind = isRescue ? 'rescue' : installer !== undefined || hasImage ? 'install' : 'password';
  return { kind, folder, rootHash: hash, system };
}

async function eraseDisks(
  { disks, print }: LabBoot,
  memoryMb: number,
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
