// The lab's driver on the lab's node: the conformance of all drivers, screens and consoles, and what goes wrong.
import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import { startLabNode, type LabNode, type LabNodeState } from '#lab/node/node.ts';
import { readBytes } from '#wire/rfb/bytes.ts';
import { clientHandshake } from '#wire/rfb/handshake.ts';
import { describeHypervisorDriver } from './conformance.ts';
import { need, type Hypervisor, type SystemBuild } from './driver.ts';
import { labNodeDriver } from './lab.ts';

const token = 'a token for the tests';
const quick = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const shape = { vcpus: 1, memoryMb: 512, diskGb: 10, mac: '52:54:00:00:00:01' };
const system: SystemBuild = {
  id: 'one',
  template: 'debian-12',
  hostname: 'web.example.com',
  rootPassword: 'Right-pass-1',
  addresses: [{ address: '192.0.2.10', prefixLength: 24, gateway: '192.0.2.1' }],
  nameServers: ['192.0.2.53'],
};
const patience = (): AbortSignal => AbortSignal.timeout(60_000);

/** What a viewer of the text console sees until it shows the text. */
async function seen(console: Duplex, wanted: string): Promise<string> {
  let text = '';
  for await (const chunk of console.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString();
    if (text.includes(wanted)) break;
  }
  return text;
}

describeHypervisorDriver("the lab's driver on the lab's node", {}, async () => {
  let state: LabNodeState | undefined;
  const start = (port = 0): Promise<LabNode> =>
    startLabNode({
      token,
      port,
      timing: quick,
      memoryMb: 4_096,
      diskGb: 100,
      state: { load: () => state, save: (next) => (state = structuredClone(next)) },
    });
  let node = await start();
  const { port } = node;
  return {
    open: (access) => labNodeDriver.open({ address: access === 'provider' ? '127.0.0.1' : '127.213.1.1', port, token }),
    shape,
    tooLarge: { memoryMb: 5_000, diskGb: 200 },
    template: 'debian-12',
    image: '/images/rescue.iso',
    lacks: [],
    power: async (name) => node.machines.get(name)?.state.power ?? 'absent',
    systems: async (name) => Object.keys(node.machines.get(name)?.state.systems ?? {}),
    async logsIn(name, password) {
      const { screen, serial } = node.machines.get(name)!;
      while (!/login:\s*$/.test(screen.text())) await sleep(5);
      serial.type(Buffer.from(`root\r${password}\r`));
      if (!/~#\s*$/.test(screen.text())) return undefined;
      serial.type(Buffer.from('hostname\rexit\r'));
      return screen.text().trimEnd().split('\n').at(-3);
    },
    inserted: async (name) => node.machines.get(name)?.state.image,
    bootedFrom: async (name) => node.machines.get(name)!.bootedFrom,
    tun: async (name) => node.machines.get(name)!.state.tun,
    async fill() {
      node.setFaults({ isDiskFull: true });
      return { [Symbol.asyncDispose]: async () => node.setFaults({}) };
    },
    async restart() {
      await node.close();
      node = await start(port);
    },
    [Symbol.asyncDispose]: () => node.close(),
  };
});

describe("the lab's node", () => {
  async function withMachine(): Promise<{ node: LabNode; driver: Hypervisor } & AsyncDisposable> {
    const node = await startLabNode({ token, timing: quick });
    const driver = await labNodeDriver.open({ address: node.address, port: node.port, token });
    await driver.machines.create('vm-1', shape, system, patience());
    await driver.power.set('vm-1', 'on', patience());
    const dispose = async (): Promise<void> => {
      await driver[Symbol.asyncDispose]();
      await node.close();
    };
    return { node, driver, [Symbol.asyncDispose]: dispose };
  }
  const faultWith = (code: string) => (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.code, code);
    return true;
  };

  it('has a screen that RFB shows, on which keys are typed and echo', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    const { stream, password } = await need(driver, 'screen').open('vm-1', patience());
    stream.on('error', () => {});
    const { screen } = node.machines.get('vm-1')!;
    while (!/login:\s*$/.test(screen.text())) await sleep(5);
    await clientHandshake(stream, password, patience());
    stream.write(Buffer.from([1]));
    const init = await readBytes(stream, 24, patience());
    const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
    assert.deepEqual([width, height], [640, 400]);
    assert.equal((await readBytes(stream, init.readUInt32BE(20), patience())).toString(), 'vm-1');
    const inkIn = async (rectangles: number): Promise<number> => {
      let ink = 0;
      for (let left = rectangles; left > 0; left--) {
        const header = await readBytes(stream, 12, patience());
        const pixels = await readBytes(stream, header.readUInt16BE(4) * header.readUInt16BE(6) * 4, patience());
        for (let at = 0; at < pixels.length; at += 4) if (pixels.readUInt32LE(at) !== 0) ink++;
      }
      return ink;
    };
    const rectangles = async (): Promise<number> => (await readBytes(stream, 4, patience())).readUInt16BE(2);
    const request = (isIncremental: 0 | 1) => stream.write(Buffer.from([3, isIncremental, 0, 0, 0, 0, 2, 128, 1, 144]));
    request(0);
    assert.ok((await inkIn(await rectangles())) > 500, 'there is something to read');
    const type = (text: string): void => {
      for (const key of text) {
        const keysym = key === '\r' ? 0xff0d : key.charCodeAt(0);
        for (const isDown of [1, 0]) stream.write(Buffer.from([4, isDown, 0, 0, 0, 0, keysym >> 8, keysym & 255]));
      }
    };
    request(1);
    type('r');
    assert.equal(await rectangles(), 1, 'one line changes with one key');
    await inkIn(1);
    assert.match(screen.text(), /login: r$/m);
    type('oot\rRight-pass-1\rhostname\r');
    while (!/^web\.example\.com$/m.test(screen.text())) await sleep(5);
    stream.destroy();
  });

  it('takes the password of a screen once', async () => {
    await using lab = await withMachine();
    const { stream, password } = await need(lab.driver, 'screen').open('vm-1', patience());
    await clientHandshake(stream, password, patience());
    const other = await need(lab.driver, 'screen').open('vm-1', patience());
    other.stream.on('error', () => {});
    await assert.rejects(clientHandshake(other.stream, password, patience()), { kind: 'auth' });
    stream.destroy();
    other.stream.destroy();
  });

  it('has a text console on which root logs in', async () => {
    await using lab = await withMachine();
    const console = await need(lab.driver, 'text').open('vm-1', patience());
    const { screen } = lab.node.machines.get('vm-1')!;
    while (!/login:\s*$/.test(screen.text())) await sleep(5);
    console.write('root\rRight-pass-1\rhostname\r');
    assert.match(await seen(console, '\nweb.example.com\r'), /root@web\.example\.com/);
    console.destroy();
  });

  it('shows a screen or a text console of a machine that is on, and only of that', async () => {
    await using lab = await withMachine();
    await lab.driver.power.set('vm-1', 'off', patience());
    await assert.rejects(need(lab.driver, 'screen').open('vm-1', patience()), faultWith('state_conflict'));
    await assert.rejects(need(lab.driver, 'text').open('vm-1', patience()), faultWith('state_conflict'));
    await assert.rejects(need(lab.driver, 'text').open('vm-2', patience()), faultWith('not_found'));
    await assert.rejects(lab.driver.guest.setPassword('vm-1', 'x', patience()), faultWith('state_conflict'));
  });

  it('finishes a build in whose middle it died', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    node.setFaults({ diesAt: 'build' });
    await assert.rejects(driver.systems.build('vm-1', { ...system, id: 'two' }, patience()), /not known whether/);
    await assert.rejects(driver.power.state('vm-1', patience()), faultWith('node_unreachable'));
    node.setFaults({});
    await driver.power.set('vm-1', 'off', patience());
    await assert.rejects(driver.systems.use('vm-1', 'two', patience()), faultWith('not_found'));
    await driver.systems.build('vm-1', { ...system, id: 'two' }, patience());
    await driver.systems.use('vm-1', 'two', patience());
    assert.equal(await driver.systems.current('vm-1', patience()), 'two');
  });

  it('has done what it died after, and that shows', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    node.setFaults({ diesAt: 'power' });
    await assert.rejects(driver.power.set('vm-1', 'off', patience()), faultWith('node_unreachable'));
    node.setFaults({});
    assert.equal(await driver.power.state('vm-1', patience()), 'off');
    assert.deepEqual(node.events, ['create vm-1', 'power vm-1', 'power vm-1']);
  });

  it('is unreachable while it is silent, and wrong while it talks nonsense', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    node.setFaults({ isSilent: true });
    await assert.rejects(driver.power.state('vm-1', AbortSignal.timeout(100)), faultWith('node_unreachable'));
    await assert.rejects(driver.power.set('vm-1', 'off', AbortSignal.timeout(100)), faultWith('node_unreachable'));
    node.setFaults({ talksNonsense: true });
    await assert.rejects(driver.machines.list(patience()), faultWith('node_error'));
    node.setFaults({ answersAfterMs: 20 });
    assert.equal(await driver.power.state('vm-1', patience()), 'on');
  });

  it('knows its token', async () => {
    await using lab = await withMachine();
    const { address, port } = lab.node;
    const stranger = await labNodeDriver.open({ address, port, token: 'a guess' });
    await assert.rejects(stranger.machines.list(patience()), faultWith('node_error'));
    await stranger[Symbol.asyncDispose]();
  });

  it('leaves a machine on whose system does not heed a request to shut down', async () => {
    await using lab = await withMachine();
    lab.node.setFaults({ ignoresShutdown: true });
    await lab.driver.power.requestShutdown('vm-1', patience());
    await sleep(20);
    assert.equal(await lab.driver.power.state('vm-1', patience()), 'on');
  });
});
