import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLabHypervisor, type LabHypervisor, type LabHypervisorState } from '#lab/hypervisor/hypervisor.ts';
import { readBytes } from '#protocols/rfb/bytes.ts';
import { clientHandshake } from '#protocols/rfb/handshake.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';
import { describeHypervisorDriver } from './conformance.ts';
import { checkMigration } from './migration-conformance.ts';
import { checkVolumes } from './volume-conformance.ts';
import { checkBackups, type BackupFixture } from './backup-conformance.ts';
import { testSnapshots, type SnapshotFixture } from './snapshot-conformance.ts';
import { requireCapability, type Hypervisor, type MachineAddress, type SystemBuild } from './driver.ts';
import { labHypervisorDriver } from './lab.ts';

const token = 'a token for the tests';
const quick = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const shape = { vcpus: 1, memoryMb: 512, diskGb: 10, mac: '52:54:00:00:00:01', networks: ['192.0.2.10/32'] };
const system: SystemBuild = {
  id: 'one',
  template: 'debian-12',
  hostname: 'web.example.com',
  rootPassword: 'Right-pass-1',
  addresses: [{ address: '192.0.2.10', prefixLength: 24, gateway: '192.0.2.1' }],
  nameServers: ['192.0.2.53'],
  sshKeys: [],
};
const testTimeout = (): AbortSignal => AbortSignal.timeout(60_000);

/** Reads the console until it shows the text, and returns all output. */
async function readUntil(console: Duplex, marker: string): Promise<string> {
  let text = '';
  for await (const chunk of console.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString();
    if (text.includes(marker)) break;
  }
  return text;
}

describeHypervisorDriver('the lab driver', {}, async () => {
  let state: LabHypervisorState | undefined;
  const start = (port = 0): Promise<LabHypervisor> =>
    startLabHypervisor({
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
    open: (access) =>
      labHypervisorDriver.open({ address: access === 'provider' ? '127.0.0.1' : '127.213.1.1', port, token }),
    shape,
    tooLarge: { memoryMb: 5_000, diskGb: 200 },
    template: 'debian-12',
    image: '/images/rescue.iso',
    lacks: [],
    power: async (name) => node.machines.get(name)?.state.power ?? 'absent',
    systems: async (name) => Object.keys(node.machines.get(name)?.state.systems ?? {}),
    bootAddresses: async (name) =>
      (node.machines.get(name)!.system().addresses as readonly MachineAddress[]).map(({ address }) => address),
    sshKeys: async (name) => node.machines.get(name)!.system().sshKeys as readonly string[],
    networks: async (name) => node.machines.get(name)!.state.networks as readonly string[],
    async hostnameAfterLogin(name, password) {
      const { screen, serial } = node.machines.get(name)!;
      await until(() => /login:\s*$/.test(screen.text()), { saw: () => screen.text() });
      serial.type(Buffer.from(`root\r${password}\r`));
      if (!/~#\s*$/.test(screen.text())) return undefined;
      serial.type(Buffer.from('hostname\rexit\r'));
      return screen.text().trimEnd().split('\n').at(-3);
    },
    insertedImage: async (name) => node.machines.get(name)?.state.image,
    bootedFrom: async (name) => node.machines.get(name)!.bootedFrom,
    tun: async (name) => node.machines.get(name)!.state.tun,
    async fill() {
      node.setMalfunctions({ isDiskFull: true });
      return { [Symbol.asyncDispose]: async () => node.setMalfunctions({}) };
    },
    async restart() {
      await node.close();
      node = await start(port);
    },
    [Symbol.asyncDispose]: () => node.close(),
  };
});

describe('the lab hypervisor', () => {
  async function withMachine(): Promise<{ node: LabHypervisor; driver: Hypervisor } & AsyncDisposable> {
    const node = await startLabHypervisor({ token, timing: quick });
    const driver = await labHypervisorDriver.open({ address: node.address, port: node.port, token });
    await driver.machines.create('vm-1', shape, system, testTimeout());
    await driver.power.set('vm-1', 'on', testTimeout());
    const dispose = async (): Promise<void> => {
      await driver[Symbol.asyncDispose]();
      await node.close();
    };
    return { node, driver, [Symbol.asyncDispose]: dispose };
  }
  const withCode = (code: string) => ({ name: 'ApiError', code });

  it('moves machines to another hypervisor, on or off', async () => {
    await using lab = await withMachine();
    await using node = await startLabHypervisor({ token, timing: quick });
    await using target = await labHypervisorDriver.open({ address: node.address, port: node.port, token });
    const start = ({ power }: Hypervisor) => power.set('vm-1', 'on', testTimeout());
    await lab.driver.power.set('vm-1', 'off', testTimeout());
    await checkMigration({ source: lab.driver, target, machine: 'vm-1', networks: [], movesLive: true, start });
  });

  it('attaches, grows and removes volumes', async () => {
    await using lab = await withMachine();
    await lab.driver.machines.create('vm-2', shape, system, testTimeout());
    await checkVolumes({ hypervisor: lab.driver, machine: 'vm-1', other: 'vm-2', sizeGb: 1, tooLargeGb: 100_000 });
    assert.deepEqual(lab.node.volumes, {});
  });

  it('serves RFB and echoes typed keys', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    const { stream, password } = await requireCapability(driver, 'vnc').open('vm-1', testTimeout());
    stream.on('error', () => {});
    const { screen } = node.machines.get('vm-1')!;
    await until(() => /login:\s*$/.test(screen.text()), { saw: () => screen.text() });
    await clientHandshake(stream, password, testTimeout());
    stream.write(Buffer.from([1]));
    const init = await readBytes(stream, 24, testTimeout());
    const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
    assert.deepEqual([width, height], [640, 400]);
    assert.equal((await readBytes(stream, init.readUInt32BE(20), testTimeout())).toString(), 'vm-1');
    const inkIn = async (rectangles: number): Promise<number> => {
      let ink = 0;
      for (let left = rectangles; left > 0; left--) {
        const header = await readBytes(stream, 12, testTimeout());
        const pixels = await readBytes(stream, header.readUInt16BE(4) * header.readUInt16BE(6) * 4, testTimeout());
        for (let at = 0; at < pixels.length; at += 4) if (pixels.readUInt32LE(at) !== 0) ink++;
      }
      return ink;
    };
    const rectangles = async (): Promise<number> => (await readBytes(stream, 4, testTimeout())).readUInt16BE(2);
    const request = (isIncremental: 0 | 1) => stream.write(Buffer.from([3, isIncremental, 0, 0, 0, 0, 2, 128, 1, 144]));
    request(0);
    assert.ok((await inkIn(await rectangles())) > 500, 'the screen shows text');
    const type = (text: string): void => {
      for (const key of text) {
        const keysym = key === '\r' ? 0xff0d : key.charCodeAt(0);
        for (const isDown of [1, 0]) stream.write(Buffer.from([4, isDown, 0, 0, 0, 0, keysym >> 8, keysym & 255]));
      }
    };
    request(1);
    type('r');
    assert.equal(await rectangles(), 1, 'one key changes one line');
    await inkIn(1);
    assert.match(screen.text(), /login: r$/m);
    type('oot\rRight-pass-1\rhostname\r');
    await until(() => /^web\.example\.com$/m.test(screen.text()), { saw: () => screen.text() });
    stream.destroy();
  });

  it('accepts each VNC password once', async () => {
    await using lab = await withMachine();
    const { stream, password } = await requireCapability(lab.driver, 'vnc').open('vm-1', testTimeout());
    await clientHandshake(stream, password, testTimeout());
    const other = await requireCapability(lab.driver, 'vnc').open('vm-1', testTimeout());
    other.stream.on('error', () => {});
    await assert.rejects(clientHandshake(other.stream, password, testTimeout()), { kind: 'auth' });
    stream.destroy();
    other.stream.destroy();
  });

  it('has a text console where root can log in', async () => {
    await using lab = await withMachine();
    const console = await requireCapability(lab.driver, 'text').open('vm-1', testTimeout());
    const { screen } = lab.node.machines.get('vm-1')!;
    await until(() => /login:\s*$/.test(screen.text()), { saw: () => screen.text() });
    console.write('root\rRight-pass-1\rhostname\r');
    assert.match(await readUntil(console, '\nweb.example.com\r'), /root@web\.example\.com/);
    console.destroy();
  });

  it('opens consoles of running machines only', async () => {
    await using lab = await withMachine();
    await lab.driver.power.set('vm-1', 'off', testTimeout());
    await assert.rejects(requireCapability(lab.driver, 'vnc').open('vm-1', testTimeout()), withCode('state_conflict'));
    await assert.rejects(requireCapability(lab.driver, 'text').open('vm-1', testTimeout()), withCode('state_conflict'));
    await assert.rejects(requireCapability(lab.driver, 'text').open('vm-2', testTimeout()), withCode('not_found'));
    await assert.rejects(lab.driver.guest.setPassword('vm-1', 'x', testTimeout()), {
      ...withCode('state_conflict'),
      message: 'The machine is powered off.',
    });
  });

  it('completes a build that a crash interrupted', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    node.setMalfunctions({ crashesAt: 'build' });
    await assert.rejects(driver.systems.build('vm-1', { ...system, id: 'two' }, testTimeout()), /unknown whether/);
    await assert.rejects(driver.power.state('vm-1', testTimeout()), withCode('node_unreachable'));
    node.setMalfunctions({});
    await driver.power.set('vm-1', 'off', testTimeout());
    await assert.rejects(driver.systems.use('vm-1', 'two', testTimeout()), withCode('not_found'));
    await driver.systems.build('vm-1', { ...system, id: 'two' }, testTimeout());
    await driver.systems.use('vm-1', 'two', testTimeout());
    assert.equal(await driver.systems.current('vm-1', testTimeout()), 'two');
  });

  it('has executed the command after which it crashed', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    node.setMalfunctions({ crashesAt: 'power' });
    await assert.rejects(driver.power.set('vm-1', 'off', testTimeout()), withCode('node_unreachable'));
    node.setMalfunctions({});
    assert.equal(await driver.power.state('vm-1', testTimeout()), 'off');
    assert.deepEqual(node.events, ['create vm-1', 'power vm-1', 'power vm-1']);
  });

  it('is unreachable while silent, and reported as faulty while it sends garbage', async () => {
    await using lab = await withMachine();
    const { node, driver } = lab;
    node.setMalfunctions({ isSilent: true });
    await assert.rejects(driver.power.state('vm-1', AbortSignal.timeout(100)), withCode('node_unreachable'));
    await assert.rejects(driver.power.set('vm-1', 'off', AbortSignal.timeout(100)), withCode('node_unreachable'));
    node.setMalfunctions({ sendsGarbage: true });
    await assert.rejects(driver.machines.list(testTimeout()), withCode('node_error'));
    node.setMalfunctions({ responseDelayMs: 20 });
    assert.equal(await driver.power.state('vm-1', testTimeout()), 'on');
  });

  it('rejects a wrong token', async () => {
    await using lab = await withMachine();
    const { address, port } = lab.node;
    const unauthenticated = await labHypervisorDriver.open({ address, port, token: 'a guess' });
    await assert.rejects(unauthenticated.machines.list(testTimeout()), withCode('node_error'));
    await unauthenticated[Symbol.asyncDispose]();
  });

  it('leaves a machine on if its guest ignores the shutdown request', async () => {
    await using lab = await withMachine();
    lab.node.setMalfunctions({ ignoresShutdown: true });
    await lab.driver.power.requestShutdown('vm-1', testTimeout());
    await sleep(20);
    assert.equal(await lab.driver.power.state('vm-1', testTimeout()), 'on');
  });
});

describe('snapshots of the lab driver', () => {
  const owned = suiteResources();
  const start = async (): Promise<SnapshotFixture & BackupFixture> => {
    const node = owned.use(await startLabHypervisor({ token, timing: quick }));
    const hypervisor = owned.use(await labHypervisorDriver.open({ address: node.address, port: node.port, token }));
    const machine = (name: string) => node.machines.get(name)!;
    return {
      hypervisor,
      template: 'debian-12',
      shape,
      writeContent: async (name, text) => void (machine(name).system().content = text),
      readContent: async (name) => machine(name).system().content ?? '',
      volume: {
        sizeGb: 1,
        write: async (id, text) => void (node.volumes[id]!.content = text),
        read: async (id) => node.volumes[id]!.content ?? '',
        readSystem: async (id) => node.volumes[id]!.content ?? '',
      },
      async size(name) {
        const { vcpus, memoryMb, diskGb } = machine(name).state.shape;
        return { vcpus, memoryMb, diskGb };
      },
      async fill() {
        node.setMalfunctions({ isDiskFull: true });
        return { [Symbol.asyncDispose]: async () => node.setMalfunctions({}) };
      },
    };
  };
  testSnapshots(start);
  it('copies a machine off the hypervisor, and restores it', async () => checkBackups(await start()));
});
