// The conformance suite of all BMC drivers. Results are checked on the server itself (what the chassis did, what the
// serial line carried, who can log in), not by what the driver reports.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiError } from '#lib/api-error.ts';
import type { Bmc, BmcCapability, BootTarget, PowerState, Users } from './driver.ts';
import {
  checkBrokenParts,
  checkNewEntries,
  checkUnpoweredSensors,
  testTimeout,
  type BmcHardware,
} from './sensor-conformance.ts';

export type Access = 'provider' | 'wrong password' | 'nobody there';

/** A server that is off, with its BMC in the delivered state. */
export interface BmcFixture extends AsyncDisposable {
  open(access: Access): Promise<Bmc>;
  power(): Promise<PowerState>;
  nextBoot(): Promise<BootTarget>;
  /** Returns whether another client can log in as this user with operator privilege. */
  canLogIn(name: string, password: string): Promise<boolean>;
  /** Opens a session of another client as this user. */
  logIn(name: string, password: string): Promise<OpenSession>;
  /** Users of the BMC cannot be disabled. */
  readonly cannotDisable?: boolean;
  /** The BMC can neither end another user's session nor restart. */
  readonly keepsSessions?: true;
  /** The version of the BMC's own firmware. */
  readonly firmware: string;
  updateFirmware?(version: string): void;
  /** The server's end of its serial line, once a viewer is connected. */
  serial(): Promise<{ print(text: string): void; typed(): string }>;
  /** An image that the BMC can load; `insertedImage` is its URL as the server sees it. */
  readonly image?: string;
  insertedImage?(): Promise<string | undefined>;
  /** Breaks and repairs parts of the server, which its BMC records in its log. */
  readonly hardware?: BmcHardware;
  /** How many users fit beside the delivered ones. */
  readonly freeUsers: number;
  /** What this BMC does not support. The suite tries it anyway and expects an error that names it. */
  readonly lacks: readonly BmcCapability[];
}

export interface OpenSession extends AsyncDisposable {
  /** Returns whether its user can still read the power state. */
  works(): Promise<boolean>;
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
        const part = bmc[capability];
        if (!fixture.lacks.includes(capability)) {
          assert.ok(part, `the driver has no ${capability}`);
          return run(part as NonNullable<Bmc[C]>);
        }
        context.diagnostic(`this BMC has no ${capability}`);
        const message = new RegExp(`\\b${capability}\\b`);
        if (part !== undefined)
          await assert.rejects(probe(bmc, capability), { code: 'capability_missing', status: 422, message });
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
      await assert.rejects(bmc.power.reset(testTimeout()), { code: 'state_conflict', status: 409 });
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
        const initialUsers = await users.list(testTimeout());
        await users.create('customer', password, testTimeout());
        assert.deepEqual((await users.list(testTimeout())).toSorted(), [...initialUsers, 'customer'].toSorted());
        assert.equal(await fixture.canLogIn('customer', password), true);
        await users.create('customer', password, testTimeout());
        assert.equal(
          (await users.list(testTimeout())).length,
          initialUsers.length + 1,
          'a repeated creation keeps one user',
        );
        await users.setPassword('customer', 'another-password', testTimeout());
        assert.equal(await fixture.canLogIn('customer', password), false);
        assert.equal(await fixture.canLogIn('customer', 'another-password'), true);
        await users.remove('customer', testTimeout());
        await users.remove('customer', testTimeout());
        assert.deepEqual(await users.list(testTimeout()), initialUsers);
        assert.equal(await fixture.canLogIn('customer', 'another-password'), false);
      },
    );

    withPart('users', 'a disabled user cannot log in, and can again with the same password', async (users) => {
      await users.create('customer', password, testTimeout());
      if (fixture.cannotDisable === true) {
        await assert.rejects(users.setEnabled('customer', false, testTimeout()), { code: 'capability_missing' });
        assert.equal(await fixture.canLogIn('customer', password), true);
        return users.remove('customer', testTimeout());
      }
      for (const isEnabled of [false, false, true, true]) {
        await users.setEnabled('customer', isEnabled, testTimeout());
        assert.equal(await fixture.canLogIn('customer', password), isEnabled);
        assert.ok((await users.list(testTimeout())).includes('customer'));
      }
      await users.remove('customer', testTimeout());
    });

    const waysToRevoke = {
      'a disabled user': (users: Users) => users.setEnabled('customer', false, testTimeout()),
      'a removed user': (users: Users) => users.remove('customer', testTimeout()),
    };
    for (const [user, revoke] of Object.entries(waysToRevoke))
      withPart('users', `${user} loses open sessions`, async (users) => {
        if (fixture.cannotDisable === true && user === 'a disabled user') return;
        await users.create('customer', password, testTimeout());
        await using session = await fixture.logIn('customer', password);
        assert.equal(await session.works(), true);
        if (fixture.keepsSessions) {
          await assert.rejects(revoke(users), { code: 'bmc_error', status: 502 });
          assert.equal(await session.works(), true, 'the driver reported a session that has ended');
          await session[Symbol.asyncDispose]();
        }
        await revoke(users);
        assert.equal(await session.works(), false);
        assert.equal(await fixture.canLogIn('customer', password), false);
        await users.remove('customer', testTimeout());
      });

    withPart('users', 'a driver rejects changes to an unknown user', async (users) => {
      await assert.rejects(users.setPassword('nobody', password, testTimeout()), { code: 'not_found' });
      await assert.rejects(users.setEnabled('nobody', false, testTimeout()), { code: 'not_found' });
    });

    withPart('users', 'a driver reports that all user slots are in use, and reuses a freed one', async (users) => {
      const names = Array.from({ length: fixture.freeUsers }, (_, index) => `user${index}`);
      for (const name of names) await users.create(name, password, testTimeout());
      await assert.rejects(users.create('onemore', password, testTimeout()), { code: 'nothing_free', status: 422 });
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
        await assert.rejects(serial.open(listener(), 'fail', testTimeout()), { status: 502 });
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

    withPart(
      'consoles',
      'a console reset ends the serial line of any session, and succeeds with nothing open',
      async (consoles) => {
        await consoles.reset(testTimeout());
        const { serial } = bmc;
        if (serial === undefined || fixture.lacks.includes('serial')) return;
        await using other = await fixture.open('provider');
        await using _ = await other.serial!.open(listener(), 'fail', testTimeout());
        await assert.rejects(serial.open(listener(), 'fail', testTimeout()), { status: 502 });
        await consoles.reset(testTimeout());
        await using _next = await serial.open(listener(), 'fail', testTimeout());
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
      await assert.rejects(media.insert(`${fixture.image}.absent`, testTimeout()), { code: 'bmc_error', status: 502 });
      assert.equal(await fixture.insertedImage!(), undefined);
    });

    withPart('inventory', 'a driver describes the hardware', async (inventory) => {
      const parts = await inventory.read(testTimeout());
      assert.ok(Object.values(parts).flat().length > 0);
      for (const text of Object.values(parts).flat()) assert.match(text, /\S/);
    });

    withPart('sensors', 'a driver reads sensors, and reports what a server without power lacks as unknown', (sensors) =>
      checkUnpoweredSensors(bmc, sensors),
    );
    withPart('sensors', 'a driver reports broken parts, and that they were repaired', (sensors) =>
      checkBrokenParts(bmc, sensors, requireHardware(fixture)),
    );
    withPart('log', 'a driver reads each new entry of the event log once', (log) =>
      checkNewEntries(log, requireHardware(fixture)),
    );

    it('a driver reads the firmware version of the BMC', async () => {
      const versions = async () => (await bmc.inventory?.firmware?.(testTimeout()))?.['bmc'];
      assert.equal(await versions(), fixture.firmware);
      if (fixture.updateFirmware === undefined) return;
      fixture.updateFirmware('7.77');
      assert.match((await versions()) ?? '', /^7\.77\b/);
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
      const unreachableError = { code: 'bmc_unreachable', status: 504 };
      await Promise.all(attempts.map((attempt) => assert.rejects(attempt, unreachableError)));
      await expectPower('off');
    });

    it('a driver reports a wrong password without revealing it', async () => {
      await using unauthenticated = await fixture.open('wrong password');
      await assert.rejects(unauthenticated.power.set('on', testTimeout()), (error: ApiError) => {
        assert.deepEqual([error.code, error.status], ['bmc_refused', 502]);
        assert.doesNotMatch(`${error.message} ${error.internal} ${String(error.cause)}`, /wrong-password/);
        return true;
      });
      await expectPower('off');
    });
  });
}
/** The password to open with for `wrong password`. */
export const wrongPassword = 'wrong-password';

type OptionalPart = Exclude<BmcCapability, 'power' | 'web'>;

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
    case 'sensors':
      return bmc.sensors!.read(testTimeout());
    case 'log':
      return bmc.log!.read(undefined, testTimeout());
    case 'controller':
      return bmc.controller!.reset(testTimeout());
    case 'consoles':
      return bmc.consoles!.reset(testTimeout());
  }
}

function requireHardware({ hardware }: BmcFixture): BmcHardware {
  assert.ok(hardware, 'the fixture must provide hardware');
  return hardware;
}

function listener(): { onData(data: Buffer): void; onEnd(): void; text(): string } {
  let text = '';
  return { onData: (data) => void (text += data.toString('latin1')), onEnd: () => {}, text: () => text };
}

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}
