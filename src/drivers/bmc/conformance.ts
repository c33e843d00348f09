// What every controller driver must do, told as tests that any of them can be run through. The witness is the server itself:
// not what the driver says it did, but what the chassis ran, what the serial line carried and who can log in.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import type { Bmc, BmcCapability, BootTarget, PowerState } from './driver.ts';

export type Access = 'provider' | 'wrong password' | 'nobody there';

/** A server with its controller, switched off and as delivered. */
export interface Candidate extends AsyncDisposable {
  open(access: Access): Promise<Bmc>;
  power(): Promise<PowerState>;
  nextBoot(): Promise<BootTarget>;
  /** Whether somebody else's client gets in as this user, with the privilege of an operator. */
  logsIn(name: string, password: string): Promise<boolean>;
  /** The server's end of its serial line, once a viewer has it. */
  serial(): Promise<{ print(text: string): void; typed(): string }>;
  /** An image that the controller can load, and where the image in the server's drive came from, as the server sees it. */
  readonly image?: string;
  drive?(): Promise<string | undefined>;
  /** How many users fit beside those that are there as delivered. */
  readonly freeUsers: number;
  /** What this controller cannot do. It is asked for all the same, and must be refused by name. */
  readonly lacks: readonly BmcCapability[];
}

const password = 'sixteen-bytes-ok';
const lastWordsMs = 100;

export function describeBmcDriver(title: string, options: { skip?: string }, start: () => Promise<Candidate>): void {
  // One after the other: they share a server.
  describe(title, { ...options, concurrency: 1 }, () => {
    let candidate: Candidate;
    let bmc: Bmc;
    before(async () => {
      candidate = await start();
      bmc = await candidate.open('provider');
    });
    after(async () => {
      await bmc?.[Symbol.asyncDispose]();
      await candidate?.[Symbol.asyncDispose]();
    });
    const sees = async (state: PowerState) => {
      assert.equal(await bmc.power.state(patience()), state);
      assert.equal(await candidate.power(), state);
    };
    /** A test of what some controllers lack: those must say so instead, and the name of the test tells which did. */
    const withPart = <C extends OptionalPart>(
      capability: C,
      name: string,
      run: (part: NonNullable<Bmc[C]>) => Promise<void>,
    ) =>
      it(name, async (context) => {
        if (!candidate.lacks.includes(capability)) {
          const part = bmc[capability];
          assert.ok(part, `it offers no ${capability}`);
          return run(part as NonNullable<Bmc[C]>);
        }
        context.diagnostic(`this controller has no ${capability}`);
        const part = bmc[capability];
        if (part === undefined) return undefined;
        const fault = await faultIn(probe(bmc, capability));
        assert.deepEqual([fault.code, fault.status], ['capability_missing', 422]);
        assert.match(fault.message, new RegExp(`\\b${capability}\\b`));
        return undefined;
      });

    it('reads and sets the power, and what is so already succeeds', async () => {
      await sees('off');
      for (const state of ['on', 'on', 'off', 'off', 'on'] as const) {
        await bmc.power.set(state, patience());
        await sees(state);
      }
    });

    it('resets what is on, which stays on', async () => {
      await bmc.power.set('on', patience());
      await bmc.power.reset(patience());
      await sees('on');
    });

    it('refuses to reset what is off, which stays off', async () => {
      await bmc.power.set('off', patience());
      const fault = await faultIn(bmc.power.reset(patience()));
      assert.deepEqual([fault.code, fault.status], ['state_conflict', 409]);
      await sees('off');
    });

    it('asks the operating system to shut down, which then does', async () => {
      await bmc.power.set('on', patience());
      await bmc.power.requestShutdown(patience());
      await until(async () => (await bmc.power.state(patience())) === 'off');
      await sees('off');
    });

    withPart('boot', 'chooses what the next boot is from, and takes it back', async (boot) => {
      for (const target of ['pxe', 'cdrom', 'bios', 'disk', 'none'] satisfies BootTarget[]) {
        await boot.setNext(target, patience());
        await boot.setNext(target, patience());
        assert.equal(await candidate.nextBoot(), target);
      }
    });

    withPart('boot', 'lets the choice go with the boot that it was for', async (boot) => {
      await bmc.power.set('off', patience());
      for (const restart of [() => bmc.power.set('on', patience()), () => bmc.power.reset(patience())]) {
        await boot.setNext('pxe', patience());
        await restart();
        assert.equal(await candidate.nextBoot(), 'none');
      }
      await bmc.power.set('off', patience());
    });

    withPart('users', 'makes users who log in, gives them other passwords and removes them', async (users) => {
      const before = await users.list(patience());
      await users.create('customer', password, patience());
      assert.deepEqual((await users.list(patience())).toSorted(), [...before, 'customer'].toSorted());
      assert.equal(await candidate.logsIn('customer', password), true);
      await users.create('customer', password, patience());
      assert.equal((await users.list(patience())).length, before.length + 1, 'the same name is the same user');
      await users.setPassword('customer', 'another-password', patience());
      assert.equal(await candidate.logsIn('customer', password), false);
      assert.equal(await candidate.logsIn('customer', 'another-password'), true);
      await users.remove('customer', patience());
      await users.remove('customer', patience());
      assert.deepEqual(await users.list(patience()), before);
      assert.equal(await candidate.logsIn('customer', 'another-password'), false);
    });

    withPart('users', 'knows no user that is not there', async (users) => {
      assert.equal((await faultIn(users.setPassword('nobody', password, patience()))).code, 'not_found');
    });

    withPart('users', 'says when there is no room, and makes some by removing', async (users) => {
      const names = Array.from({ length: candidate.freeUsers }, (_, index) => `user${index}`);
      for (const name of names) await users.create(name, password, patience());
      const fault = await faultIn(users.create('onemore', password, patience()));
      assert.deepEqual([fault.code, fault.status], ['nothing_free', 422]);
      await users.remove(names[0]!, patience());
      await users.create('onemore', password, patience());
      assert.equal(await candidate.logsIn('onemore', password), true);
      for (const name of [...names, 'onemore']) await users.remove(name, patience());
    });

    withPart(
      'serial',
      'carries the serial line both ways, for one at a time unless it is taken over',
      async (serial) => {
        await bmc.power.set('on', patience());
        const first = listener();
        await serial.open(first, 'fail', patience());
        const server = await candidate.serial();
        server.print('printed for the first\r\n');
        await until(() => first.text().includes('printed for the first'));
        const fault = await faultIn(serial.open(listener(), 'fail', patience()));
        assert.equal(fault.status, 502);
        const second = listener();
        await using line = await serial.open(second, 'takeOver', patience());
        server.print('printed for the second\r\n');
        await until(() => second.text().includes('printed for the second'));
        await line.write(Buffer.from('typed'));
        await until(() => server.typed().includes('typed'));
        await line.sendBreak();
        await line.close();
        await line.close();
        await bmc.power.set('off', patience());
      },
    );

    withPart(
      'media',
      'loads an image into the drive of the server, another in its place, and takes it out',
      async (media) => {
        const { image, drive } = candidate;
        assert.ok(image !== undefined && drive !== undefined, 'it must say what to load and what the server sees');
        assert.equal(await media.inserted(patience()), undefined);
        await media.eject(patience());
        for (const url of [image, image, `${image}?another`]) {
          await media.insert(url, patience());
          assert.equal(await drive(), url);
          assert.equal(await media.inserted(patience()), url);
        }
        await media.eject(patience());
        assert.equal(await drive(), undefined);
        assert.equal(await media.inserted(patience()), undefined);
      },
    );

    withPart('media', 'says so when an image cannot be loaded, and leaves the drive empty', async (media) => {
      const fault = await faultIn(media.insert(`${candidate.image}.absent`, patience()));
      assert.deepEqual([fault.code, fault.status], ['bmc_error', 502]);
      assert.equal(await candidate.drive!(), undefined);
    });

    withPart('inventory', 'describes what the server is made of', async (inventory) => {
      const parts = await inventory.read(patience());
      assert.ok(Object.values(parts).flat().length > 0);
      for (const text of Object.values(parts).flat()) assert.match(text, /\S/);
    });

    withPart('controller', 'restarts the controller, and waits for it to come back', async (controller) => {
      await bmc.power.set('on', patience());
      await controller.reset(patience());
      // It may have a last word to say before it goes.
      await sleep(lastWordsMs);
      await sees('on');
      await bmc.power.set('off', patience());
    });

    it('tells a controller that does not answer from a server that is off, and changes nothing', async () => {
      await using nobody = await candidate.open('nobody there');
      const asked = [
        nobody.power.state(AbortSignal.timeout(100)),
        nobody.power.set('on', AbortSignal.timeout(100)),
        nobody.power.reset(AbortSignal.timeout(100)),
      ];
      for (const fault of await Promise.all(asked.map(faultIn)))
        assert.deepEqual([fault.code, fault.status], ['bmc_unreachable', 504]);
      await sees('off');
    });

    it('does not get in with a wrong password, nor tells it to anyone', async () => {
      await using stranger = await candidate.open('wrong password');
      const fault = await faultIn(stranger.power.set('on', patience()));
      assert.deepEqual([fault.code, fault.status], ['bmc_refused', 502]);
      assert.doesNotMatch(`${fault.message} ${fault.internal} ${String(fault.cause)}`, /wrong-password/);
      await sees('off');
    });
  });
}
/** What a candidate is to open with for `wrong password`. */
export const wrongPassword = 'wrong-password';

type OptionalPart = Exclude<BmcCapability, 'power'>;

function probe(bmc: Bmc, capability: OptionalPart): Promise<unknown> {
  switch (capability) {
    case 'boot':
      return bmc.boot!.setNext('none', patience());
    case 'users':
      return bmc.users!.list(patience());
    case 'serial':
      return bmc.serial!.open(listener(), 'fail', patience());
    case 'media':
      return bmc.media!.inserted(patience());
    case 'inventory':
      return bmc.inventory!.read(patience());
    case 'controller':
      return bmc.controller!.reset(patience());
  }
}

/** Longer than any of this takes: a busy machine is not a fault. */
function patience(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

function listener(): { onData(data: Buffer): void; onEnd(): void; text(): string } {
  let text = '';
  return { onData: (data) => void (text += data.toString('latin1')), onEnd: () => {}, text: () => text };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

async function faultIn(work: Promise<unknown>): Promise<Fault> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof Fault, `a fault was expected, not ${String(outcome)}`);
  return outcome;
}
