// Signed zones in memory: how often they are built, and in which order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { orderKey } from '#protocols/dns/dnssec/canonical.ts';
import { generateZoneKey, openPrivateKey } from '#protocols/dns/dnssec/keys.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { rcodes, rrTypes } from '#protocols/dns/types.ts';
import { BuildTurns } from './build-turns.ts';
import { imageSource } from './image/image-source.ts';
import { ZoneImage, type ImageRecord } from './image/image.ts';
import { OverSigningLimit, type SigningReason } from './sign-set.ts';
import { SignedZones } from './sign-zones.ts';

function record(name: string, type: number, content: string): ImageRecord {
  return { name, type, ttl: 300, rdata: contentToWire(type, content) };
}

test('a signed zone that keeps changing is answered as it is now', async () => {
  const zone = 'example.test';
  const { dnskey, privateKey } = await generateZoneKey();
  const image = new ZoneImage();
  const created = image.createZone(1, zone);
  created.signing = { keys: [{ dnskey, privateKey: () => openPrivateKey(privateKey), isActive: true }], wantsDs: true };
  image.addRecord(created, record(zone, rrTypes.SOA, `ns1.${zone} host.${zone} 1 2 3 4 5`));
  image.addRecord(created, record(zone, rrTypes.NS, `ns1.${zone}`));
  image.publish(created);
  const zones = new SignedZones(
    imageSource(image, () => 1),
    () => Math.floor(Date.now() / 1000),
  );
  image.onChange = ({ id }, name) => zones.changed(id, name);
  const delegated = `delegated.${zone}`;
  const found: number[] = [];
  for (const servers of [[], ['ns1.other.test'], []]) {
    image.replaceName(
      created,
      delegated,
      servers.map((server) => record(delegated, rrTypes.NS, server)),
    );
    const question = { name: `www.${delegated}`, type: rrTypes.A, dnssecOk: true };
    found.push((await zones.answer({ id: '1', name: zone }, question))!.rcode);
  }
  assert.deepEqual(found, [rcodes.NXDOMAIN, rcodes.NOERROR, rcodes.NXDOMAIN]);
});

test('of the signed zones in memory, the one that was not asked for longest is dropped', async () => {
  const { dnskey, privateKey } = await generateZoneKey();
  const signing = { keys: [{ dnskey, privateKey: () => openPrivateKey(privateKey), isActive: true }], wantsDs: true };
  const image = new ZoneImage();
  const nameOf = (id: number): string => `zone-${id}.test`;
  for (const id of [1, 2, 3]) {
    const created = image.createZone(id, nameOf(id));
    created.signing = signing;
    image.addRecord(created, record(nameOf(id), rrTypes.SOA, `ns1.${nameOf(id)} host.${nameOf(id)} 1 2 3 4 5`));
    image.publish(created);
  }
  const zones = new SignedZones(
    imageSource(image, () => 1),
    () => Math.floor(Date.now() / 1000),
    2,
  );
  const question = (id: number) => ({
    name: nameOf(id),
    key: orderKey(nameOf(id)),
    type: rrTypes.SOA,
    dnssecOk: true,
  });
  const load = (id: number) => zones.answer({ id: String(id), name: nameOf(id) }, question(id));
  const isLoaded = (id: number): boolean => zones.answerNow(id, question(id)) !== undefined;
  for (const id of [1, 2]) await load(id);
  assert.ok(isLoaded(1));
  await load(3);
  assert.deepEqual([1, 2, 3].map(isLoaded), [true, false, true]);
});

test('half of the time is left for other answers', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  const turns = new BuildTurns(() => nowMs);
  await turns.run(20_000, 'query', () => void (nowMs += 300));
  let isBuilt = false;
  const next = turns.run(20_000, 'query', () => void (isBuilt = true));
  context.mock.timers.tick(299);
  await setImmediate();
  assert.equal(isBuilt, false);
  context.mock.timers.tick(1);
  await next;
  assert.equal(isBuilt, true);
});

test('of the zones that wait, the smallest is built first, and a query does not wait for long', async () => {
  let nowMs = 0;
  const turns = new BuildTurns(() => nowMs);
  const built: number[] = [];
  const build = (names: number, spentMs: number, reason: SigningReason = 'query') =>
    turns.run(names, reason, () => {
      nowMs += spentMs;
      built.push(names);
    });
  await Promise.all([build(1, 50), build(20_000, 5), build(300, 0), build(20, 0)]);
  assert.deepEqual(built, [1, 20, 300, 20_000]);
  nowMs += 5;
  await build(40_000, 2500);
  const transfer = build(30, 0, 'transfer');
  await assert.rejects(build(20, 0), OverSigningLimit);
  await transfer;
  assert.equal(built.at(-1), 30);
});
