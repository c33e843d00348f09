// What every driver of a node of virtual machines must do, told as tests that any of them can be run through: the life of one
// machine, in order, with few boots, because a real one takes its time. The witness is the node and the machine: not what
// the driver says it did, but what runs, which disks lie there and who can log in.
import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import {
  need,
  type Hypervisor,
  type HypervisorCapability,
  type MachineBootTarget,
  type MachinePowerState,
  type MachineShape,
  type SystemBuild,
} from './driver.ts';

/** A node without machines. */
export interface Candidate extends AsyncDisposable {
  open(access: 'provider' | 'nobody there'): Promise<Hypervisor>;
  /** A machine that its template boots in, and what the node cannot hold. */
  readonly shape: MachineShape;
  readonly tooLarge: { readonly memoryMb: number; readonly diskGb: number };
  readonly template: string;
  /** An image for `media`, as the catalogue would say it. */
  readonly image: string;
  readonly lacks: readonly HypervisorCapability[];
  power(name: string): Promise<MachinePowerState | 'absent'>;
  /** The ids of what the machine has on the node's disk, whole or in part. */
  systems(name: string): Promise<readonly string[]>;
  /** Logs in as root on the machine, which is on and may still be booting: its own hostname, undefined where it is refused. */
  logsIn(name: string, password: string): Promise<string | undefined>;
  /** The image that is in; undefined where there is none. */
  inserted(name: string): Promise<string | undefined>;
  /** What the machine that runs was told to boot from. */
  bootedFrom(name: string): Promise<MachineBootTarget>;
  tun(name: string): Promise<'enabled' | 'disabled'>;
  /** Leaves no room on the node's disk until it is disposed of. */
  fill(): Promise<AsyncDisposable>;
  /** The node's daemon ends and starts again; machines go on. */
  restart(): Promise<void>;
}

const name = 'vm-4711';
const network = {
  addresses: [{ address: '192.0.2.10', prefixLength: 24, gateway: '192.0.2.1' }],
  nameServers: ['192.0.2.53'],
};

export function describeHypervisorDriver(
  title: string,
  options: { skip?: string },
  start: () => Promise<Candidate>,
): void {
  // One after the other: they share a machine.
  describe(title, { ...options, concurrency: 1 }, () => {
    let candidate: Candidate;
    let node: Hypervisor;
    let first: SystemBuild;
    let second: SystemBuild;
    before(async () => {
      candidate = await start();
      node = await candidate.open('provider');
      const { template } = candidate;
      first = { id: 'first-1', template, hostname: 'first.example.com', rootPassword: 'First-pass-1', ...network };
      second = { id: 'second-2', template, hostname: 'second.example.com', rootPassword: 'Second-pass-2', ...network };
    });
    after(async () => {
      await node?.[Symbol.asyncDispose]();
      await candidate?.[Symbol.asyncDispose]();
    });
    const sees = async (state: MachinePowerState) => {
      assert.equal(await node.power.state(name, patience()), state);
      assert.equal(await candidate.power(name), state);
    };
    /** A test of what some nodes lack: those must say so instead, and the output tells which did. */
    const withPart = <C extends OptionalPart>(
      capability: C,
      title: string,
      run: (part: NonNullable<Hypervisor[C]>) => Promise<void>,
    ) =>
      it(title, async (context) => {
        if (!candidate.lacks.includes(capability)) {
          assert.ok(node[capability], `it offers no ${capability}`);
          return run(need(node, capability));
        }
        context.diagnostic(`this node has no ${capability}`);
        assert.throws(() => need(node, capability), { code: 'capability_missing', status: 422 });
        return undefined;
      });

    it('knows no machine that is not there', async () => {
      assert.equal(await node.machines.find(name, patience()), undefined);
      assert.deepEqual(await node.machines.list(patience()), []);
      await node.machines.remove(name, patience());
      const asked = [node.power.state(name, patience()), node.power.set(name, 'on', patience())];
      for (const fault of await Promise.all(asked.map(faultIn))) assert.equal(fault.code, 'not_found');
    });

    it('refuses what it has no room for, and makes nothing', async () => {
      const { shape, tooLarge } = candidate;
      const room = await node.room(patience());
      assert.ok(room.memoryMb >= shape.memoryMb && room.diskGb >= shape.diskGb, JSON.stringify(room));
      for (const excess of [{ memoryMb: tooLarge.memoryMb }, { diskGb: tooLarge.diskGb }]) {
        const fault = await faultIn(node.machines.create(name, { ...shape, ...excess }, first, patience()));
        assert.deepEqual([fault.code, fault.status], ['nothing_free', 422]);
      }
      assert.deepEqual([await candidate.power(name), await candidate.systems(name)], ['absent', []]);
    });

    it('makes nothing from a template that it does not have', async () => {
      const unknown = { ...first, template: 'no-such-template' };
      await faultIn(node.machines.create(name, candidate.shape, unknown, patience()));
      assert.deepEqual([await candidate.power(name), await candidate.systems(name)], ['absent', []]);
    });

    it('makes a machine that is off, with its first system, and making it again is the same', async () => {
      await node.machines.create(name, candidate.shape, first, patience());
      await node.machines.create(name, candidate.shape, first, patience());
      await sees('off');
      assert.equal(await node.systems.current(name, patience()), first.id);
      assert.deepEqual(await candidate.systems(name), [first.id]);
      const [found, ...others] = await node.machines.list(patience());
      assert.deepEqual([found?.name, found?.power, others], [name, 'off', []]);
      assert.equal((await node.machines.find(name, patience()))?.power, 'off');
    });

    it('refuses to reset what is off, which stays off', async () => {
      const fault = await faultIn(node.power.reset(name, patience()));
      assert.deepEqual([fault.code, fault.status], ['state_conflict', 409]);
      await sees('off');
    });

    withPart('boot', 'chooses what the next boot is from, that one alone', async (boot) => {
      for (const target of ['cdrom', 'pxe'] satisfies MachineBootTarget[]) {
        await boot.setNext(name, target, patience());
        await boot.setNext(name, target, patience());
        await node.power.set(name, 'on', patience());
        assert.equal(await candidate.bootedFrom(name), target);
        await node.power.set(name, 'off', patience());
      }
      await node.power.set(name, 'on', patience());
      assert.equal(await candidate.bootedFrom(name), 'disk');
      await node.power.set(name, 'off', patience());
    });

    it('switches it on and off, and what is so already succeeds', async () => {
      for (const state of ['off', 'on', 'on', 'off', 'off', 'on'] as const) {
        await node.power.set(name, state, patience());
        await sees(state);
      }
      assert.equal((await node.machines.find(name, patience()))?.power, 'on');
    });

    it('resets what is on, which stays on', async () => {
      await node.power.reset(name, patience());
      await sees('on');
    });

    it('boots the template with the hostname and the password that it was given', async () => {
      assert.equal(await candidate.logsIn(name, first.rootPassword), first.hostname);
      assert.equal(await candidate.logsIn(name, second.rootPassword), undefined);
    });

    it('changes hostname and password inside, which the machine itself then shows', async () => {
      await node.guest.setHostname(name, 'renamed.example.com', patience());
      await node.guest.setPassword(name, 'Changed-pass-3', patience());
      assert.equal(await candidate.logsIn(name, 'Changed-pass-3'), 'renamed.example.com');
      assert.equal(await candidate.logsIn(name, first.rootPassword), undefined);
    });

    withPart('media', 'inserts an image and ejects it, as often as told', async (media) => {
      for (const expected of [candidate.image, candidate.image, undefined, undefined]) {
        if (expected === undefined) await media.eject(name, patience());
        else await media.insert(name, expected, patience());
        assert.equal(await candidate.inserted(name), expected);
      }
    });

    withPart('screen', 'opens a screen that speaks RFB, one for each viewer', async (screen) => {
      const one = await screen.open(name, patience());
      const greeting = await firstBytes(one.stream, 12);
      one.stream.destroy();
      assert.match(greeting, /^RFB 003\.00\d\n$/);
      const other = await screen.open(name, patience());
      other.stream.destroy();
      if (one.password !== undefined) assert.notEqual(one.password, other.password);
    });

    withPart('text', 'opens a text console that shows what the machine prints', async (text) => {
      const console = await text.open(name, patience());
      // Somebody types until something comes: a node may not heed the first key.
      const typing = setInterval(() => console.write('\r'), 200);
      assert.ok((await firstBytes(console, 1)).length > 0);
      clearInterval(typing);
      console.destroy();
    });

    withPart('tun', 'lets the machine have tunnels, and takes it back', async (tun) => {
      for (const state of ['enabled', 'enabled', 'disabled', 'disabled'] as const) {
        await tun.set(name, state, patience());
        assert.equal(await candidate.tun(name), state);
      }
    });

    it('tells what the machine uses of what it has', async () => {
      const use = await node.statistics.read(name, patience());
      assert.equal(use.memoryTotal, candidate.shape.memoryMb * 2 ** 20);
      assert.equal(use.diskTotal, candidate.shape.diskGb * 2 ** 30);
      for (const [used, total] of [
        [use.memoryUsed, use.memoryTotal],
        [use.diskUsed, use.diskTotal],
      ] as const)
        assert.ok(used === undefined || (used > 0 && used <= total), JSON.stringify(use));
      for (const bytes of [use.received, use.sent]) assert.ok(bytes === undefined || bytes >= 0);
    });

    it('refuses to build a system where there is no room, and nothing changes', async () => {
      await using _full = await candidate.fill();
      const fault = await faultIn(node.systems.build(name, second, patience()));
      assert.deepEqual([fault.code, fault.status], ['nothing_free', 422]);
      assert.deepEqual(await candidate.systems(name), [first.id]);
      await sees('on');
    });

    it('builds a system beside the one that runs, which goes on', async () => {
      await node.systems.build(name, second, patience());
      await node.systems.build(name, second, patience());
      assert.deepEqual((await candidate.systems(name)).toSorted(), [first.id, second.id].toSorted());
      assert.equal(await node.systems.current(name, patience()), first.id);
      await sees('on');
      const fault = await faultIn(node.systems.use(name, second.id, patience()));
      assert.deepEqual([fault.code, fault.status], ['state_conflict', 409]);
      assert.equal(await node.systems.current(name, patience()), first.id);
    });

    it('is found again after its daemon was restarted, with its machines', async () => {
      await candidate.restart();
      await sees('on');
      assert.equal(await node.systems.current(name, patience()), first.id);
    });

    it('asks the operating system to shut down, which then does', async () => {
      await node.power.requestShutdown(name, patience());
      await until(async () => (await node.power.state(name, patience())) === 'off');
      await sees('off');
    });

    it('changes nothing inside what is off, or does so without its agent', async () => {
      const outcome = await node.guest
        .setHostname(name, 'asleep.example.com', patience())
        .catch((error: unknown) => error);
      if (outcome !== undefined) assert.equal((outcome as Fault).code, 'state_conflict');
    });

    it('uses the other system, goes back, and uses it again', async () => {
      for (const { id } of [second, second, first, second]) {
        await node.systems.use(name, id, patience());
        assert.equal(await node.systems.current(name, patience()), id);
      }
      assert.deepEqual((await candidate.systems(name)).toSorted(), [first.id, second.id].toSorted());
      assert.equal((await faultIn(node.systems.use(name, 'never-built', patience()))).code, 'not_found');
      assert.equal(await node.systems.current(name, patience()), second.id);
    });

    it('removes every system but the one that it boots', async () => {
      await node.systems.tidy(name, patience());
      await node.systems.tidy(name, patience());
      assert.deepEqual(await candidate.systems(name), [second.id]);
      assert.equal(await node.systems.current(name, patience()), second.id);
    });

    it('boots the system that it uses now', async () => {
      await node.power.set(name, 'on', patience());
      assert.equal(await candidate.logsIn(name, second.rootPassword), second.hostname);
    });

    it('removes a machine that runs, and leaves nothing of it', async () => {
      await node.machines.remove(name, patience());
      await node.machines.remove(name, patience());
      assert.equal(await node.machines.find(name, patience()), undefined);
      assert.deepEqual([await candidate.power(name), await candidate.systems(name)], ['absent', []]);
    });

    it('tells a node that does not answer from a machine that is off', async () => {
      await using nobody = await candidate.open('nobody there');
      const asked = [
        nobody.power.state(name, AbortSignal.timeout(2000)),
        nobody.power.set(name, 'on', AbortSignal.timeout(2000)),
        nobody.machines.list(AbortSignal.timeout(2000)),
        nobody.machines.find(name, AbortSignal.timeout(2000)),
        nobody.room(AbortSignal.timeout(2000)),
      ];
      for (const fault of await Promise.all(asked.map(faultIn)))
        assert.deepEqual([fault.code, fault.status], ['node_unreachable', 504]);
    });
  });
}

type OptionalPart = 'media' | 'boot' | 'tun' | 'screen' | 'text';

/** Longer than any of this takes: a busy machine is not a fault. */
function patience(): AbortSignal {
  return AbortSignal.timeout(120_000);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUp = patience();
  while (!(await condition())) await sleep(50, undefined, { signal: giveUp });
}

async function firstBytes(stream: Duplex, count: number): Promise<string> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('latin1');
    if (text.length >= count) break;
  }
  return text.slice(0, count);
}

async function faultIn(work: Promise<unknown>): Promise<Fault> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof Fault, `a fault was expected, not ${String(outcome)}`);
  return outcome;
}
