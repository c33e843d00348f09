// Shared by tests of containers: which instance belongs to whom, and the console as its user sees it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import type { BackupFixture } from '#drivers/hypervisor/backup-conformance.ts';
import type { SnapshotFixture } from '#drivers/hypervisor/snapshot-conformance.ts';
import { temporaryFolder } from './folder.ts';
import { lxdTemplate, type Lxd } from './lxd.ts';

export const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:00:47:11', networks: ['192.0.2.10/32'] };
export const patience = (): AbortSignal => AbortSignal.timeout(120_000);

interface Instance {
  readonly name: string;
  readonly status: string;
  readonly location: string;
  readonly config: Readonly<Record<string, string>>;
  readonly expanded_config: Readonly<Record<string, string>>;
  readonly expanded_devices: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export async function instancesOf(lxd: Lxd, name: string): Promise<readonly Instance[]> {
  const all = (await lxd.query('/1.0/instances?recursion=1')) as readonly Instance[];
  return all.filter((instance) => instance.name.startsWith(`${name}--`));
}
export async function currentOf(lxd: Lxd, name: string): Promise<Instance | undefined> {
  const instances = await instancesOf(lxd, name);
  return instances.find((instance) => instance.expanded_config['user.hostyard.instance'] === instance.name);
}

const promptWithinMs = 60_000;

/** Reads the console until the output matches; removes the shell's terminal queries. */
async function readUntil(console: Duplex, pattern: RegExp): Promise<string> {
  let text = '';
  const late = setTimeout(() => console.destroy(new Error(`no ${pattern} on the console: ${text}`)), promptWithinMs);
  try {
    for await (const chunk of console.iterator({ destroyOnReturn: false })) {
      text = (text + (chunk as Buffer).toString()).replaceAll('\x1b[6n', '').replaceAll('\r', '');
      if (pattern.test(text)) return text;
    }
    throw new Error(`the console ended: ${text}`);
  } finally {
    clearTimeout(late);
  }
}

/** Runs a command as root on a container's console; returns its output, or undefined if the password is rejected. */
export async function onConsole(
  node: Hypervisor,
  name: string,
  password: string,
  command: string,
): Promise<string | undefined> {
  const console = await node.text!.open(name, patience());
  try {
    // The first keys may be lost while the daemon attaches to the terminal.
    const typing = setInterval(() => console.write('\r'), 500);
    await readUntil(console, /login: $/).finally(() => clearInterval(typing));
    console.write('root\r');
    await readUntil(console, /Password: $/);
    console.write(`${password}\r`);
    const isIn = !/incorrect/.test(await readUntil(console, /incorrect[^]*login: $|# $/));
    if (!isIn) return undefined;
    console.write(`${command}\r`);
    const printed = await readUntil(console, /\n[^\n]*# $/);
    console.write('exit\r');
    await readUntil(console, /login: $/);
    return printed.split('\n').slice(1, -1).join('\n');
  } finally {
    console.destroy();
  }
}

/** What the conformance suites of snapshots and backups need of a real LXD. */
export function snapshotFixture(lxd: Lxd, hypervisor: Hypervisor): SnapshotFixture & BackupFixture {
  const file = async (name: string): Promise<string> => `${(await currentOf(lxd, name))!.name}/root/content`;
  const amount = (text: string | undefined): number => Number.parseInt(text ?? '', 10);
  return {
    hypervisor,
    template: lxdTemplate,
    shape: { ...shape, mac: '52:54:00:00:47:12', networks: [] },
    async writeContent(name, text) {
      await using folder = await temporaryFolder('content');
      await writeFile(join(folder.path, 'content'), text);
      await lxd.lxc('file', 'push', join(folder.path, 'content'), await file(name));
    },
    readContent: async (name) => lxd.lxc('file', 'pull', await file(name), '-'),
    async size(name) {
      const { expanded_config: config, expanded_devices: devices } = (await currentOf(lxd, name))!;
      const [vcpus, memoryMb] = [amount(config['limits.cpu']), amount(config['limits.memory'])];
      return { vcpus, memoryMb, diskGb: amount(devices['root']?.['size']) };
    },
    volume: {
      sizeGb: 1,
      write: async (id, text) => void (await lxd.runInside(`echo -n ${text} > $1/custom/default_${id}/content`)),
      read: (id) => lxd.runInside(`cat $1/custom/default_${id}/content`),
      readSystem: (id) => lxd.runInside(`cat $1/custom/default_${id}/root/content`),
    },
  };
}
