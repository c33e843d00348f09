// Every registered driver against equipment that hangs, disappears or lies: the call ends in time with an equipment
// error and uses little memory. A new driver that is missing from this table fails here.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { NameServerError } from '#drivers/dns/driver.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { MailError } from '#drivers/mail/driver.ts';
import { openSmtpRelay } from '#drivers/mail/smtp.ts';
import { routeDrivers } from '#drivers/routes/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { ApiError } from '#lib/api-error.ts';
import { settingsFor, startBadPeer, misbehaviours, type BadPeer, type Misbehaviour } from '#test/support/bad-peer.ts';

type PeerCall = (peer: BadPeer, signal: AbortSignal) => Promise<unknown>;

const callTimeoutMs = 2500;
/** All drivers with their modules use about 150; buffering an endless response would take gigabytes. */
const mostMegabytes = 600;
const bmcs = openBmcDrivers();
after(() => bmcs.close());

/** The simplest request for each kind of equipment. */
const requests = {
  bmc: async (name, settings, signal) => {
    await using bmc = await bmcs.drivers[name]!.open(settings as never);
    return await bmc.power.state(signal);
  },
  switch: async (name, settings, signal) => {
    await using device = await switchDrivers[name]!.open(settings as never);
    return await device.counters([], signal);
  },
  hypervisor: async (name, settings, signal) => {
    await using hypervisor = await hypervisorDrivers[name]!.open(settings as never);
    return await hypervisor.freeCapacity(signal);
  },
  routes: async (name, settings, signal) => {
    await using router = await routeDrivers[name]!.open(settings as never);
    return await router.list(signal);
  },
} satisfies Record<keyof typeof settingsFor, (name: string, settings: object, signal: AbortSignal) => Promise<unknown>>;

const peerCalls: { readonly what: string; readonly ask: PeerCall }[] = Object.entries(settingsFor).flatMap(
  ([kind, drivers]) =>
    Object.entries(drivers).flatMap(([name, settings]) => {
      const request = requests[kind as keyof typeof settingsFor];
      if (settings === undefined) return [];
      return [{ what: `${kind} ${name}`, ask: (peer, signal) => request(name, settings(peer), signal) }];
    }),
);
peerCalls.push({
  what: 'PowerDNS',
  ask: async ({ port }, signal) => {
    const settings = { url: `http://127.0.0.1:${port}`, apiKey: 'key', timeoutMs: 1000, writers: 'one' as const };
    await using server = openPowerDns(settings);
    return await server.list(signal);
  },
});

// It speaks first only with TLS from the first byte; otherwise it waits for the relay's greeting.
for (const security of ['tls', 'none'] as const)
  peerCalls.push({
    what: `SMTP relay (${security})`,
    ask: async ({ port }) => {
      const relay = openSmtpRelay({ host: '127.0.0.1', port, security, timeoutSeconds: 1 }, undefined);
      return relay.check().finally(relay.close);
    },
  });

describe('a misbehaving peer', { concurrency: true }, () => {
  test('is tested with every driver', () => {
    const registries = {
      bmc: bmcs.drivers,
      switch: switchDrivers,
      hypervisor: hypervisorDrivers,
      routes: routeDrivers,
    };
    for (const [kind, drivers] of Object.entries(registries))
      assert.deepEqual(
        Object.keys(settingsFor[kind as keyof typeof settingsFor]).toSorted(),
        Object.keys(drivers).toSorted(),
        kind,
      );
  });

  for (const vice of Object.keys(misbehaviours) as Misbehaviour[]) {
    test(`that ${vice} causes an equipment error in time`, async () => {
      const before = process.memoryUsage().rss;
      await Promise.all(
        peerCalls.map(async ({ what, ask }) => {
          await using peer = await startBadPeer(vice);
          const outcome = await ask(peer, AbortSignal.timeout(callTimeoutMs)).then(
            (value) => `answered ${JSON.stringify(value)}`,
            (error: unknown) => error,
          );
          const isEquipmentError =
            outcome instanceof NameServerError ||
            outcome instanceof MailError ||
            (outcome instanceof ApiError && (outcome.status === 502 || outcome.status === 504));
          assert.ok(isEquipmentError, `${what} returned for a peer that ${vice}: ${String(outcome)}`);
        }),
      );
      const grownBy = (process.memoryUsage().rss - before) / 2 ** 20;
      assert.ok(grownBy < mostMegabytes, `${Math.round(grownBy)} MB more`);
    });
  }
});
