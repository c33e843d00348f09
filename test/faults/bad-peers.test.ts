// Every driver of every registry, led to equipment that hangs, is gone or lies: the call ends within its time, as a fault that says
// so, and takes no memory to speak of. A driver that is new to a registry and not to this table fails here.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { NameServerError } from '#drivers/dns/driver.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { routeDrivers } from '#drivers/routes/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { Fault } from '#kernel/fault.ts';
import { leadingTo, startBadPeer, vices, type BadPeer, type Vice } from '#test/support/bad-peer.ts';

type Ask = (peer: BadPeer, signal: AbortSignal) => Promise<unknown>;

const askedMs = 2500;
/** All drivers with their modules take some 150; who kept what never ends would take gigabytes. */
const mostMegabytes = 600;
const bmcs = openBmcDrivers();
after(() => bmcs.close());

/** The simplest question to each kind of equipment. */
const questions = {
  bmc: async (name, settings, signal) => {
    await using bmc = await bmcs.drivers[name]!.open(settings as never);
    return await bmc.power.state(signal);
  },
  switch: async (name, settings, signal) => {
    await using device = await switchDrivers[name]!.open(settings as never, signal);
    return await device.counters(signal);
  },
  hypervisor: async (name, settings, signal) => {
    await using hypervisor = await hypervisorDrivers[name]!.open(settings as never);
    return await hypervisor.room(signal);
  },
  routes: async (name, settings, signal) => {
    await using router = await routeDrivers[name]!.open(settings as never, signal);
    return await router.list(signal);
  },
} satisfies Record<keyof typeof leadingTo, (name: string, settings: object, signal: AbortSignal) => Promise<unknown>>;

const asks: { readonly what: string; readonly ask: Ask }[] = Object.entries(leadingTo).flatMap(([kind, drivers]) =>
  Object.entries(drivers).flatMap(([name, settings]) => {
    const question = questions[kind as keyof typeof leadingTo];
    if (settings === undefined) return [];
    return [{ what: `${kind} ${name}`, ask: (peer, signal) => question(name, settings(peer), signal) }];
  }),
);
asks.push({
  what: 'PowerDNS',
  ask: async ({ port }, signal) => {
    const settings = { url: `http://127.0.0.1:${port}`, apiKey: 'key', timeoutMs: 1000, writers: 'one' as const };
    await using server = openPowerDns(settings);
    return await server.list(signal);
  },
});

describe('a peer of which nothing good comes', { concurrency: true }, () => {
  test('is known for every driver there is', () => {
    const registries = {
      bmc: bmcs.drivers,
      switch: switchDrivers,
      hypervisor: hypervisorDrivers,
      routes: routeDrivers,
    };
    for (const [kind, drivers] of Object.entries(registries))
      assert.deepEqual(
        Object.keys(leadingTo[kind as keyof typeof leadingTo]).toSorted(),
        Object.keys(drivers).toSorted(),
        kind,
      );
  });

  for (const vice of Object.keys(vices) as Vice[]) {
    test(`that ${vice} is a fault of the equipment, told in time`, async () => {
      const before = process.memoryUsage().rss;
      await Promise.all(
        asks.map(async ({ what, ask }) => {
          await using peer = await startBadPeer(vice);
          const outcome = await ask(peer, AbortSignal.timeout(askedMs)).then(
            (value) => `answered ${JSON.stringify(value)}`,
            (error: unknown) => error,
          );
          const isTold =
            outcome instanceof NameServerError ||
            (outcome instanceof Fault && (outcome.status === 502 || outcome.status === 504));
          assert.ok(isTold, `${what} said of a peer that ${vice}: ${String(outcome)}`);
        }),
      );
      const grownBy = (process.memoryUsage().rss - before) / 2 ** 20;
      assert.ok(grownBy < mostMegabytes, `${Math.round(grownBy)} MB more`);
    });
  }
});
