// The LXD driver on a real LXD: the conformance of all drivers, what containers have of their own, and two daemons as a
// cluster.
import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { describeHypervisorDriver } from '#drivers/hypervisor/conformance.ts';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import { lxdDriver } from '#drivers/hypervisor/lxd.ts';
import { lxdPool, lxdTemplate, needsLxd, startLxd, type Lxd } from '#test/support/lxd.ts';

const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:00:47:11' };
const patience = (): AbortSignal => AbortSignal.timeout(120_000);

interface Instance {
  readonly name: string;
  readonly status: string;
  readonly location: string;
  readonly config: Readonly<Record<string, string>>;
  readonly expanded_config: Readonly<Record<string, string>>;
  readonly expanded_devices: Readonly<Record<string, unknown>>;
}

async function instancesOf(lxd: Lxd, name: string): Promise<readonly Instance[]> {
  const all = (await lxd.query('/1.0/instances?recursion=1')) as readonly Instance[];
  return all.filter((instance) => instance.name.startsWith(`${name}--`));
}
async function currentOf(lxd: Lxd, name: string): Promise<Instance | undefined> {
  const instances = await instancesOf(lxd, name);
  return instances.find((instance) => instance.expanded_config['user.hostyard.instance'] === instance.name);
}

const promptWithinMs = 60_000;

/** What the console says from now on until it matches; without what its shell asks of the terminal. */
async function heard(console: Duplex, wanted: RegExp): Promise<string> {
  let text = '';
  const late = setTimeout(() => console.destroy(new Error(`no ${wanted} on the console: ${text}`)), promptWithinMs);
  try {
    for await (const chunk of console.iterator({ destroyOnReturn: false })) {
      text = (text + (chunk as Buffer).toString()).replaceAll('\x1b[6n', '').replaceAll('\r', '');
      if (wanted.test(text)) return text;
    }
    throw new Error(`the console ended: ${text}`);
  } finally {
    clearTimeout(late);
  }
}

/** As root on the console of a container: what the command prints, undefined where the password is refused. */
async function onConsole(
  node: Hypervisor,
  name: string,
  password: string,
  command: string,
): Promise<string | undefined> {
  const console = await node.text!.open(name, patience());
  try {
    // The first keys may be lost, while the daemon still takes hold of the terminal.
    const typing = setInterval(() => console.write('\r'), 500);
    await heard(console, /login: $/).finally(() => clearInterval(typing));
    console.write('root\r');
    await heard(console, /Password: $/);
    console.write(`${password}\r`);
    const isIn = !/incorrect/.test(await heard(console, /incorrect[^]*login: $|# $/));
    if (!isIn) return undefined;
    console.write(`${command}\r`);
    const printed = await heard(console, /\n[^\n]*# $/);
    console.write('exit\r');
    await heard(console, /login: $/);
    return printed.split('\n').slice(1, -1).join('\n');
  } finally {
    console.destroy();
  }
}

describeHypervisorDriver('the LXD driver on LXD', needsLxd(), async () => {
  const lxd = await startLxd();
  await lxd.prepare();
  const settings = { socket: lxd.socket, pool: lxdPool, nic: { nictype: 'p2p' } };
  const own = await lxdDriver.open(settings);
  return {
    open: (access) =>
      lxdDriver.open(access === 'provider' ? settings : { ...settings, socket: '/nowhere/unix.socket' }),
    shape,
    tooLarge: { memoryMb: 10_000_000, diskGb: 100 },
    template: lxdTemplate,
    image: 'none',
    lacks: ['media', 'boot', 'screen'],
    async power(name) {
      const instance = await currentOf(lxd, name);
      return instance === undefined ? 'absent' : instance.status === 'Running' ? 'on' : 'off';
    },
    systems: async (name) => (await instancesOf(lxd, name)).map(({ config }) => config['user.hostyard.system']!),
    logsIn: (name, password) => onConsole(own, name, password, 'hostname'),
    inserted: async () => assert.fail('it has no drive'),
    bootedFrom: async () => assert.fail('it has no firmware'),
    async tun(name) {
      const { name: instance } = (await currentOf(lxd, name))!;
      await lxd.lxc('restart', '--force', instance);
      // What may open it is told that it has not said which tunnel.
      const said = await lxd.lxc('exec', instance, '--', 'sh', '-c', 'cat /dev/net/tun 2>&1 || true');
      return said.includes('bad state') ? 'enabled' : 'disabled';
    },
    async fill() {
      await lxd.resizePool('512m');
      return { [Symbol.asyncDispose]: () => lxd.resizePool('3g') };
    },
    restart: () => lxd.restart(),
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await lxd[Symbol.asyncDispose]();
    },
  };
});
