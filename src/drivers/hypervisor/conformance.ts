// The conformance suite of all hypervisor drivers: the life of one machine, in order and with few boots, because real
// ones are slow. Results are checked on the hypervisor and in the machine (what runs, which disks exist, who can log
// in), not by what the driver reports.
import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import {
  requireCapability,
  type Hypervisor,
  type HypervisorCapability,
  type MachineBootTarget,
  type MachinePowerState,
  type MachineShape,
  type SystemBuild,
} from './driver.ts';

/** A hypervisor without machines. */
export interface HypervisorFixture extends AsyncDisposable {
  open(access: 'provider' | 'nobody there'): Promise<Hypervisor>;
  /** Fits the template; `tooLarge` exceeds what the hypervisor can hold. */
  readonly shape: MachineShape;
  readonly tooLarge: { readonly memoryMb: number; readonly diskGb: number };
  readonly template: string;
  /** An image for `media`, as the catalogue would name it. */
  readonly image: string;
  readonly lacks: readonly HypervisorCapability[];
  power(name: string): Promise<MachinePowerState | 'absent'>;
  /** Ids of the systems on the hypervisor's disk, complete or not. */
  systems(name: string): Promise<readonly string[]>;
  /** The blocks that the hypervisor lets the machine use, in any order. */
  networks(name: string): Promise<readonly string[]>;
  /** The addresses that the current system configures at its next boot. */
  bootAddresses(name: string): Promise<readonly string[]>;
  /** The public keys that root of the current system can sign in with. */
  sshKeys(name: string): Promise<readonly string[]>;
  /**
   * Logs in as root on a machine that is on, possibly still booting, and returns its hostname; undefined if the login
   * fails.
   */
  hostnameAfterLogin(name: string, password: string): Promise<string | undefined>;
  insertedImage(name: string): Promise<string | undefined>;
  /** The device that the running machine booted from. */
  bootedFrom(name: string): Promise<MachineBootTarget>;
  tun(name: string): Promise<'enabled' | 'disabled'>;
  /** Fills the hypervisor's disk until disposed. */
  fill(): Promise<AsyncDisposable>;
  /** Restarts the hypervisor's daemon; machines keep running. */
  restart(): Promise<void>;
}

const nothingFree = { code: 'nothing_free', status: 422 };
const stateConflict = { code: 'state_conflict', status: 409 };
const name = 'vm-4711';
const network = {
  addresses: [{ address: '192.0.2.10', prefixLength: 24, gateway: '192.0.2.1' }],
  nameServers: ['192.0.2.53'],
};
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBf1Q0kY8gJv5yq0d3oQm6w2nJ8T0c3WmRr4s5uV7xYz somebody@example.com';

export function describeHypervisorDriver(
  title: string,
  options: { skip?: string },
  start: () => Promise<HypervisorFixture>,
): void {
  // In sequence, because they share a machine.
  describe(title, { ...options, concurrency: 1 }, () => {
    let fixture: HypervisorFixture;
    let hypervisor: Hypervisor;
    let first: SystemBuild;
    let second: SystemBuild;
    before(async () => {
      fixture = await start();
      hypervisor = await fixture.open('provider');
      const { template } = fixture;
      const firstNames = { id: 'first-1', hostname: 'first.example.com', rootPassword: 'First-pass-1' };
      const secondNames = { id: 'second-2', hostname: 'second.example.com', rootPassword: 'Second-pass-2' };
      first = { ...firstNames, template, sshKeys: [sshKey], ...network };
      second = { ...secondNames, template, sshKeys: [], ...network };
    });
    after(async () => {
      await hypervisor?.[Symbol.asyncDispose]();
      await fixture?.[Symbol.asyncDispose]();
    });
    const expectPower = async (state: MachinePowerState) => {
      assert.equal(await hypervisor.power.state(name, testTimeout()), state);
      assert.equal(await fixture.power(name), state);
    };
    const expectAbsent = async () =>
      assert.deepEqual([await fixture.power(name), await fixture.systems(name)], ['absent', []]);
    const expectCurrent = async ({ id }: SystemBuild) =>
      assert.equal(await hypervisor.systems.current(name, testTimeout()), id);
    /** Tests an optional part; a hypervisor without it must reject its use. */
    const withPart = <C extends OptionalPart>(
      capability: C,
      title: string,
      run: (part: NonNullable<Hypervisor[C]>) => Promise<void>,
    ) =>
      it(title, async (context) => {
        if (!fixture.lacks.includes(capability)) {
          assert.ok(hypervisor[capability], `the driver has no ${capability}`);
          return run(requireCapability(hypervisor, capability));
        }
        context.diagnostic(`this hypervisor has no ${capability}`);
        assert.throws(() => requireCapability(hypervisor, capability), { code: 'capability_missing', status: 422 });
        return undefined;
      });

    it('a driver finds no machine that does not exist', async () => {
      assert.equal(await hypervisor.machines.find(name, testTimeout()), undefined);
      assert.deepEqual(await hypervisor.machines.list(testTimeout()), []);
      await hypervisor.machines.remove(name, testTimeout());
      const attempts = [hypervisor.power.state(name, testTimeout()), hypervisor.power.set(name, 'on', testTimeout())];
      await Promise.all(attempts.map((attempt) => assert.rejects(attempt, { code: 'not_found' })));
    });

    it('a driver rejects a machine that exceeds the capacity, and creates nothing', async () => {
      const { shape, tooLarge } = fixture;
      const capacity = await hypervisor.freeCapacity(testTimeout());
      assert.ok(capacity.memoryMb >= shape.memoryMb && capacity.diskGb >= shape.diskGb, JSON.stringify(capacity));
      const totals = await hypervisor.hostTotals(testTimeout());
      const isWithin = totals.memoryMb! >= capacity.memoryMb && totals.diskGb! >= capacity.diskGb && totals.cpus! > 0;
      assert.ok(isWithin && /\d/.test(totals.version!), JSON.stringify(totals));
      for (const excess of [{ memoryMb: tooLarge.memoryMb }, { diskGb: tooLarge.diskGb }]) {
        await assert.rejects(
          hypervisor.machines.create(name, { ...shape, ...excess }, first, testTimeout()),
          nothingFree,
        );
      }
      await expectAbsent();
    });

    it('a driver creates nothing from an unknown template', async () => {
      const unknown = { ...first, template: 'no-such-template' };
      await assert.rejects(hypervisor.machines.create(name, fixture.shape, unknown, testTimeout()), ApiError);
      await expectAbsent();
    });

    it('a driver creates a machine that is off, and creating it again changes nothing', async () => {
      await hypervisor.machines.create(name, fixture.shape, first, testTimeout());
      await hypervisor.machines.create(name, fixture.shape, first, testTimeout());
      assert.deepEqual(await fixture.networks(name), fixture.shape.networks);
      await expectPower('off');
      await expectCurrent(first);
      assert.deepEqual(await fixture.systems(name), [first.id]);
      const [machine, ...others] = await hypervisor.machines.list(testTimeout());
      assert.deepEqual([machine?.name, machine?.power, others], [name, 'off', []]);
      assert.equal((await hypervisor.machines.find(name, testTimeout()))?.power, 'off');
    });

    it('a driver rejects a reset of a machine that is off', async () => {
      await assert.rejects(hypervisor.power.reset(name, testTimeout()), stateConflict);
      await expectPower('off');
    });

    withPart('boot', 'the chosen boot device applies to the next boot only', async (boot) => {
      for (const target of ['cdrom', 'pxe'] satisfies MachineBootTarget[]) {
        await boot.setNext(name, target, testTimeout());
        await boot.setNext(name, target, testTimeout());
        await hypervisor.power.set(name, 'on', testTimeout());
        assert.equal(await fixture.bootedFrom(name), target);
        await hypervisor.power.set(name, 'off', testTimeout());
      }
      await hypervisor.power.set(name, 'on', testTimeout());
      assert.equal(await fixture.bootedFrom(name), 'disk');
      await hypervisor.power.set(name, 'off', testTimeout());
    });

    it('a driver powers a machine on and off, and setting the current state succeeds', async () => {
      for (const state of ['off', 'on', 'on', 'off', 'off', 'on'] as const) {
        await hypervisor.power.set(name, state, testTimeout());
        await expectPower(state);
      }
      assert.equal((await hypervisor.machines.find(name, testTimeout()))?.power, 'on');
    });

    it('a driver changes the addresses of a running machine, also repeatedly', async () => {
      const changed = ['192.0.2.11/32', '198.51.100.8/29', '2001:db8::/64'];
      for (const networks of [changed, changed, ['192.0.2.12/32'], fixture.shape.networks]) {
        await hypervisor.machines.setNetworks(name, networks, testTimeout());
        assert.deepEqual((await fixture.networks(name)).toSorted(), networks.toSorted());
        const [machine] = await hypervisor.machines.list(testTimeout());
        assert.deepEqual([machine?.power, machine?.isFiltered], ['on', true]);
      }
      await assert.rejects(hypervisor.machines.setNetworks('vm-4712', [], testTimeout()), { code: 'not_found' });
    });

    it('a driver changes what a running system configures at its next boot, also repeatedly', async () => {
      const other = { address: '192.0.2.11', prefixLength: 32 };
      for (const addresses of [
        [...network.addresses, other],
        [...network.addresses, other],
        [other],
        network.addresses,
      ]) {
        await hypervisor.systems.setNetwork(name, { ...network, addresses }, testTimeout());
        assert.deepEqual(
          await fixture.bootAddresses(name),
          addresses.map(({ address }) => address),
        );
      }
      await expectPower('on');
      await assert.rejects(hypervisor.systems.setNetwork('vm-4712', network, testTimeout()), { code: 'not_found' });
    });

    it('a reset machine stays on', async () => {
      await hypervisor.power.reset(name, testTimeout());
      await expectPower('on');
    });

    it('a new machine boots its template with the given hostname and password', async () => {
      assert.equal(await fixture.hostnameAfterLogin(name, first.rootPassword), first.hostname);
      assert.equal(await fixture.hostnameAfterLogin(name, second.rootPassword), undefined);
    });

    it('a new machine has the given SSH keys', async () => {
      assert.deepEqual(await fixture.sshKeys(name), [sshKey]);
    });

    it('a changed hostname and password show inside the machine', async () => {
      await hypervisor.guest.setHostname(name, 'renamed.example.com', testTimeout());
      await hypervisor.guest.setPassword(name, 'Changed-pass-3', testTimeout());
      assert.equal(await fixture.hostnameAfterLogin(name, 'Changed-pass-3'), 'renamed.example.com');
      assert.equal(await fixture.hostnameAfterLogin(name, first.rootPassword), undefined);
    });

    withPart('media', 'a driver inserts and ejects an image, also repeatedly', async (media) => {
      for (const expected of [fixture.image, fixture.image, undefined, undefined]) {
        if (expected === undefined) await media.eject(name, testTimeout());
        else await media.insert(name, expected, testTimeout());
        assert.equal(await fixture.insertedImage(name), expected);
        for (const image of [fixture.image, undefined])
          assert.equal(await media.isInserted(name, image, testTimeout()), expected !== undefined);
      }
    });

    withPart('vnc', 'a VNC console speaks RFB and has its own password for each viewer', async (vnc) => {
      const viewer = await vnc.open(name, testTimeout());
      const greeting = await firstBytes(viewer.stream, 12);
      viewer.stream.destroy();
      assert.match(greeting, /^RFB 003\.00\d\n$/);
      const other = await vnc.open(name, testTimeout());
      other.stream.destroy();
      if (viewer.password !== undefined) assert.notEqual(viewer.password, other.password);
    });

    withPart('text', "a text console shows the machine's output", async (text) => {
      const console = await text.open(name, testTimeout());
      // Keeps typing until there is output, because the first key may be ignored.
      const typing = setInterval(() => console.write('\r'), 200);
      assert.ok((await firstBytes(console, 1)).length > 0);
      clearInterval(typing);
      console.destroy();
    });

    withPart('tun', 'a driver enables and disables tunnel devices', async (tun) => {
      for (const state of ['enabled', 'enabled', 'disabled', 'disabled'] as const) {
        assert.deepEqual(await tun.set(name, state, testTimeout()), { state, effect: 'now' });
        assert.deepEqual(await tun.status(name, testTimeout()), { state, effect: 'now' });
        assert.equal(await fixture.tun(name), state);
      }
    });

    it('a driver reports what the machine uses of its resources', async () => {
      const usage = await hypervisor.statistics.read(name, testTimeout());
      assert.equal(usage.memoryTotal, fixture.shape.memoryMb * 2 ** 20);
      assert.equal(usage.diskTotal, fixture.shape.diskGb * 2 ** 30);
      for (const [used, total] of [
        [usage.memoryUsed, usage.memoryTotal],
        [usage.diskUsed, usage.diskTotal],
      ] as const)
        assert.ok(used === undefined || (used > 0 && used <= total), JSON.stringify(usage));
      for (const bytes of [usage.received, usage.sent]) assert.ok(bytes === undefined || bytes >= 0);
    });

    it('a driver reads all machines at once, and tells a restarted one from one that kept running', async () => {
      const read = async () => (await hypervisor.statistics.readAll(testTimeout())).get(name)!;
      const first = await read();
      assert.equal(typeof first.run, 'string');
      assert.ok(first.cpuMs !== undefined && first.cpuMs > 0, JSON.stringify(first));
      assert.equal((await hypervisor.statistics.read(name, testTimeout())).run, first.run);
      const second = await read();
      assert.equal(second.run, first.run);
      for (const counter of ['cpuMs', 'received', 'sent', 'diskRead', 'diskWritten'] as const)
        assert.ok((second[counter] ?? 0) >= (first[counter] ?? 0), counter);
      await hypervisor.power.set(name, 'off', testTimeout());
      assert.equal((await read()).run, undefined);
      await hypervisor.power.set(name, 'on', testTimeout());
      const restarted = await read();
      assert.ok(restarted.run !== undefined && restarted.run !== first.run, restarted.run);
      // The next tests need a guest that has booted: one stops when the disk is full, another one must shut down.
      assert.equal(await fixture.hostnameAfterLogin(name, 'Changed-pass-3'), 'renamed.example.com');
    });

    it('a driver rejects a new system without capacity, and changes nothing', async () => {
      await using _full = await fixture.fill();
      await assert.rejects(hypervisor.systems.build(name, second, testTimeout()), nothingFree);
      assert.deepEqual(await fixture.systems(name), [first.id]);
      await expectPower('on');
    });

    it('a driver builds a system beside the running one, which keeps running', async () => {
      await hypervisor.systems.build(name, second, testTimeout());
      await hypervisor.systems.build(name, second, testTimeout());
      assert.deepEqual((await fixture.systems(name)).toSorted(), [first.id, second.id].toSorted());
      await expectCurrent(first);
      await expectPower('on');
      await assert.rejects(hypervisor.systems.use(name, second.id, testTimeout()), stateConflict);
      await expectCurrent(first);
    });

    it('a driver and its machines survive a restart of the daemon', async () => {
      await fixture.restart();
      await expectPower('on');
      await expectCurrent(first);
    });

    it('a guest shuts down on request', async () => {
      await hypervisor.power.requestShutdown(name, testTimeout());
      await waitUntil(async () => (await hypervisor.power.state(name, testTimeout())) === 'off');
      await expectPower('off');
    });

    it('a driver changes settings of a stopped machine without its agent, or rejects that', async () => {
      const outcome = await hypervisor.guest
        .setHostname(name, 'asleep.example.com', testTimeout())
        .catch((error: unknown) => error);
      if (outcome !== undefined) assert.equal((outcome as ApiError).code, 'state_conflict');
    });

    it('a machine switches to another system, back, and forth again', async () => {
      for (const system of [second, second, first, second]) {
        await hypervisor.systems.use(name, system.id, testTimeout());
        await expectCurrent(system);
      }
      assert.deepEqual((await fixture.systems(name)).toSorted(), [first.id, second.id].toSorted());
      await assert.rejects(hypervisor.systems.use(name, 'never-built', testTimeout()), { code: 'not_found' });
      await expectCurrent(second);
    });

    it('a driver removes all systems except the current one', async () => {
      await hypervisor.systems.tidy(name, testTimeout());
      await hypervisor.systems.tidy(name, testTimeout());
      assert.deepEqual(await fixture.systems(name), [second.id]);
      await expectCurrent(second);
    });

    it('a machine boots the system that it was switched to', async () => {
      await hypervisor.power.set(name, 'on', testTimeout());
      assert.equal(await fixture.hostnameAfterLogin(name, second.rootPassword), second.hostname);
    });

    it('a driver removes a running machine completely', async () => {
      await hypervisor.machines.remove(name, testTimeout());
      await hypervisor.machines.remove(name, testTimeout());
      assert.equal(await hypervisor.machines.find(name, testTimeout()), undefined);
      await expectAbsent();
    });

    it('a driver distinguishes an unreachable hypervisor from a stopped machine', async () => {
      await using unreachable = await fixture.open('nobody there');
      const attempts = [
        unreachable.power.state(name, AbortSignal.timeout(2000)),
        unreachable.power.set(name, 'on', AbortSignal.timeout(2000)),
        unreachable.machines.list(AbortSignal.timeout(2000)),
        unreachable.machines.find(name, AbortSignal.timeout(2000)),
        unreachable.freeCapacity(AbortSignal.timeout(2000)),
      ];
      const unreachableError = { code: 'node_unreachable', status: 504 };
      await Promise.all(attempts.map((attempt) => assert.rejects(attempt, unreachableError)));
    });
  });
}

type OptionalPart = 'media' | 'boot' | 'tun' | 'vnc' | 'text';

/** Longer than any operation takes, even on a busy test machine. */
function testTimeout(): AbortSignal {
  return AbortSignal.timeout(120_000);
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const timeout = testTimeout();
  while (!(await condition())) await sleep(50, undefined, { signal: timeout });
}

async function firstBytes(stream: Duplex, count: number): Promise<string> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('latin1');
    if (text.length >= count) break;
  }
  return text.slice(0, count);
}
