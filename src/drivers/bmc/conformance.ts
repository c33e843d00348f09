// The conformance suite of all BMC drivers. Results are checked on the server itself (what the chassis did, what the
// serial line carried, who can log in), not by what the driver reports.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import type { Bmc, BmcCapability, BootTarget, PowerState } from './driver.ts';

export type Access = 'provider' | 'wrong password' | 'nobody there';

/** A server that is off, with its BMC in the delivered state. */
export interface BmcFixture extends AsyncDisposable {
  open(access: Access): Promise<Bmc>;
  power(): Promise<PowerState>;
  nextBoot(): Promise<BootTarget>;
  /** Returns whether another client can log in as this user with operator privilege. */
  canLogIn(name: string, password: string): Promise<boolean>;
  /** The server's end of its serial line, once a viewer is connected. */
  serial(): Promise<{ print(text: string): void; typed(): string }>;
  /** An image that the BMC can load; `insertedImage` is its URL as the server sees it. */
  readonly image?: string;
  insertedImage?(): Promise<string | undefined>;
  /** How many users fit beside the delivered ones. */
  readonly freeUsers: number;
  /** What this BMC does not support. The suite tries it anyway and expects an error that names it. */
  readonly lacks: readonly BmcCapability[];
}

const password = 'sixteen-bytes-ok';
const resetDelayMs = 100;

export function describeBmcDriver(title: string, options: { skip?: string }, start: () => Promise<BmcFixture>): void {
  // In sequence, because they share a server.
  describe(title, { ...options, concurrency: 1 }, () => {
    let fixture: BmcFixture;
    let bmc: Bmc;
    before(async () => {
      fixture = await start();
      bmc = await fixture.open('provider');
    });
    after(async () => {
      await bmc?.[Symbol.asyncDispose]();
      await fixture?.[Symbol.asyncDispose]();
    });
    const expectPower = async (state: PowerState) => {
      assert.equal(await bmc.power.state(testTimeout()), state);
      assert.equal(await fixture.power(), state);
    };
    /** Tests an optional part; a BMC without it must reject its use. */
    const withPart = <C extends OptionalPart>(
      capability: C,
      name: string,
      run: (part: NonNullable<Bmc[C]>) => Promise<void>,
    ) =>
      it(name, async (context) => {
        if (!fixture.lacks.includes(capability)) {
          const part = bmc[capability];
          assert.ok(part, `the driver has no ${capability}`);
          return run(part as NonNullable<Bmc[C]>);
        }
        context.diagnostic(`this BMC has no ${capability}`);
        const part = bmc[capability];
        if (part === undefined) return undefined;
        const error = await rejection(probe(bmc, capability));
        assert.deepEqual([error.code, error.status], ['capability_missing', 422]);
        assert.match(error.message, new RegExp(`\\b${capability}\\b`));
        return undefined;
      });

    it('a driver reads and sets the power, and setting the current state succeeds', async () => {
      await expectPower('off');
      for (const state of ['on', 'on', 'off', 'off', 'on'] as const) {
        await bmc.power.set(state, testTimeout());
        await expectPower(state);
      }
    });

    it('a reset server stays on', async () => {
      await bmc.power.set('on', testTimeout());
      await bmc.power.reset(testTimeout());
      await expectPower('on');
    });

    it('a driver rejects a reset of a server that is off', async () => {
      await bmc.power.set('off', testTimeout());
      const error = await rejection(bmc.power.reset(testTimeout()));
      assert.deepEqual([error.code, error.status], ['state_conflict', 409]);
      await expectPower('off');
    });

    it('an operating system shuts down on request', async () => {
      await bmc.power.set('on', testTimeout());
      await bmc.power.requestShutdown(testTimeout());
      await waitUntil(async () => (await bmc.power.state(testTimeout())) === 'off');
      await expectPower('off');
    });

    withPart('boot', 'a driver sets the next boot device and clears it', async (boot) => {
      for (const target of ['pxe', 'cdrom', 'bios', 'disk', 'none'] satisfies BootTarget[]) {
        await boot.setNext(target, testTimeout());
        await boot.setNext(target, testTimeout());
        assert.equal(await fixture.nextBoot(), target);
      }
    });

    withPart('boot', 'a boot device applies to the next boot only', async (boot) => {
      await bmc.power.set('off', testTimeout());
      for (const restart of [() => bmc.power.set('on', testTimeout()), () => bmc.power.reset(testTimeout())]) {
        await boot.setNext('pxe', testTimeout());
        await restart();
        assert.equal(await fixture.nextBoot(), 'none');
      }
      await bmc.power.set('off', testTimeout());
    });

    withPart(
      'users',
      'a driver creates users who can log in, changes their passwords and removes them',
      async (users) => {
        const before = await users.list(testTimeout());
        await users.create('customer', password, testTimeout());
        assert.deepEqual((await users.list(testTimeout())).toSorted(), [...before, 'customer'].toSorted());
        assert.equal(await fixture.canLogIn('customer', password), true);
        await users.create('customer', password, testTimeout());
        assert.equal((await users.list(testTimeout())).length, before.length + 1, 'a repeated creation keeps one user');
        await users.setPassword('customer', 'another-password', testTimeout());
        assert.equal(await fixture.canLogIn('customer', password), false);
        assert.equal(await fixture.canLogIn('customer', 'another-password'), true);
        await users.remove('customer', testTimeout());
        await users.remove('customer', testTimeout());
        assert.deepEqual(await users.list(testTimeout()), before);
        assert.equal(await fixture.canLogIn('customer', 'another-password'), false);
      },
    );

    withPart('users', 'a driver rejects a password for an unknown user', async (users) => {
      assert.equal((await rejection(users.setPassword('nobody', password, testTimeout()))).code, 'not_found');
    });

    withPart('users', 'a driver reports that all user slots are in use, and reuses a freed one', async (users) => {
      const names = Array.from({ length: fixture.freeUsers }, (_, index) => `user${index}`);
      for (const name of names) await users.create(name, password, testTimeout());
      const error = await rejection(users.create('onemore', password, testTimeout()));
      assert.deepEqual([error.code, error.status], ['nothing_free', 422]);
      await users.remove(names[0]!, testTimeout());
      await users.create('onemore', password, testTimeout());
      assert.equal(await fixture.canLogIn('onemore', password), true);
      for (const name of [...names, 'onemore']) await users.remove(name, testTimeout());
    });

    withPart(
      'serial',
      'a serial line carries data both ways, for one session unless another takes over',
      async (serial) => {
        await bmc.power.set('on', testTimeout());
        const first = listener();
        await serial.open(first, 'fail', testTimeout());
        const server = await fixture.serial();
        server.print('printed for the first\r\n');
        await waitUntil(() => first.text().includes('printed for the first'));
        const error = await rejection(serial.open(listener(), 'fail', testTimeout()));
        assert.equal(error.status, 502);
        const second = listener();
        await using line = await serial.open(second, 'takeOver', testTimeout());
        server.print('printed for the second\r\n');
        await waitUntil(() => second.text().includes('printed for the second'));
        await line.write(Buffer.from('typed'));
        await waitUntil(() => server.typed().includes('typed'));
        await line.sendBreak();
        await line.close();
        await line.close();
        await bmc.power.set('off', testTimeout());
      },
    );

    withPart('media', 'a driver inserts an image, replaces it and ejects it', async (media) => {
      const { image, insertedImage: drive } = fixture;
      assert.ok(image !== undefined && drive !== undefined, 'the fixture must provide image and insertedImage');
      assert.equal(await media.currentImage(testTimeout()), undefined);
      await media.eject(testTimeout());
      for (const url of [image, image, `${image}?another`]) {
        await media.insert(url, testTimeout());
        assert.equal(await drive(), url);
        assert.equal(await media.currentImage(testTimeout()), url);
      }
      await media.eject(testTimeout());
      assert.equal(await drive(), undefined);
      assert.equal(await media.currentImage(testTimeout()), undefined);
    });

    withPart('media', 'a driver reports an image that cannot be loaded, and leaves the drive empty', async (media) => {
      const error = await rejection(media.insert(`${fixture.image}.absent`, testTimeout()));
      assert.deepEqual([error.code, error.status], ['bmc_error', 502]);
      assert.equal(await fixture.insertedImage!(), undefined);
    });

    withPart('inventory', 'a driver describes the hardware', async (inventory) => {
      const parts = await inventory.read(testTimeout());
      assert.ok(Object.values(parts).flat().length > 0);
      for (const text of Object.values(parts).flat()) assert.match(text, /\S/);
    });

    withPart('controller', 'a driver restarts the BMC and waits for its return', async (controller) => {
      await bmc.power.set('on', testTimeout());
      await controller.reset(testTimeout());
      // The BMC may still respond just before it restarts.
      await sleep(resetDelayMs);
      await expectPower('on');
      await bmc.power.set('off', testTimeout());
    });

    it('a driver reports an unreachable BMC, not a server that is off, and changes nothing', async () => {
      await using unreachable = await fixture.open('nobody there');
      const attempts = [
        unreachable.power.state(AbortSignal.timeout(100)),
        unreachable.power.set('on', AbortSignal.timeout(100)),
        unreachable.power.reset(AbortSignal.timeout(100)),
      ];
      for (const error of await Promise.all(attempts.map(rejection)))
        assert.deepEqual([error.code, error.status], ['bmc_unreachable', 504]);
      await expectPower('off');
    });

    it('a driver reports a wrong password without revealing it', async () => {
      await using unauthenticated = await fixture.open('wrong password');
      const error = await rejection(unauthenticated.power.set('on', testTimeout()));
      assert.deepEqual([error.code, error.status], ['bmc_refused', 502]);
      assert.doesNotMatch(`${error.message} ${error.internal} ${String(error.cause)}`, /wrong-password/);
      await expectPower('off');
    });
  });
}
/** The password to open with for `wrong password`. */
export const wrongPassword = 'wrong-password';

type OptionalPart = Exclude<BmcCapability, 'power'>;

function probe(bmc: Bmc, capability: OptionalPart): Promise<unknown> {
  switch (capability) {
    case 'boot':
      return bmc.boot!.setNext('none', testTimeout());
    case 'users':
      return bmc.users!.list(testTimeout());
    case 'serial':
      return bmc.serial!.open(listener(), 'fail', testTimeout());
    case 'media':
      return bmc.media!.currentImage(testTimeout());
    case 'inventory':
      return bmc.inventory!.read(testTimeout());
    case 'controller':
      return bmc.controller!.reset(testTimeout());
  }
}

/** Longer than any operation takes, even on a busy test machine. */
function testTimeout(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

function listener(): { onData(data: Buffer): void; onEnd(): void; text(): string } {
  let text = '';
  return { onData: (data) => void (text += data.toString('latin1')), onEnd: () => {}, text: () => text };
}

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

async function rejection(work: Promise<unknown>): Promise<ApiError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof ApiError, `expected an ApiError, not ${String(outcome)}`);
  return outcome;
}
