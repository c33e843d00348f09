import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expirationOf, isSignedBy } from '#test/support/dns-signatures.ts';
import { makeQuestions, makeZone, randomFrom } from '#test/support/dns-zones.ts';
import { compareNames } from '#protocols/dns/dnssec/canonical.ts';
import { generateZoneKey, openPrivateKey } from '#protocols/dns/dnssec/keys.ts';
import { bytesToSign } from '#protocols/dns/dnssec/rrsig.ts';
import { ancestorNames, isWithin } from '#protocols/dns/name.ts';
import { contentToWire, wireToContent } from '#protocols/dns/rdata.ts';
import { Reader } from '#protocols/dns/reader.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rcodes, rrTypes, typeName } from '#protocols/dns/types.ts';
import { answerQuestion, type Answer } from './answer.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import {
  OverSigningLimit,
  SigningLimits,
  SigningPace,
  ZoneSigner,
  type SignedSet,
  type ZoneSigning,
} from './sign-set.ts';
import { SignedZone } from './sign-zone.ts';
import { SignedZones } from './sign-zones.ts';

const nowSeconds = 1_800_000_000;
const daySeconds = 86_400;

interface Proof {
  readonly owner: string;
  readonly next: string;
  readonly types: readonly string[];
}

function proofsIn({ authorities }: Answer): Proof[] {
  return authorities
    .filter(({ type }) => type === rrTypes.NSEC)
    .map(({ name: owner, rdata }) => {
      const [next, ...types] = wireToContent(rrTypes.NSEC, rdata[0]!, 'plain').split(' ');
      return { owner, next: next!, types };
    });
}

/** The last NSEC of a zone ends at its apex. */
function covers({ owner, next }: Proof, name: string, apex: string): boolean {
  return compareNames(owner, name) < 0 && (next === apex || compareNames(name, next) < 0);
}

describe('a signed zone', () => {
  let signing: ZoneSigning;

  before(async () => {
    const { dnskey, privateKey } = await generateZoneKey();
    signing = { keys: [{ dnskey, privateKey: () => openPrivateKey(privateKey), isActive: true }], wantsDs: true };
  });

  function signerOf(zone: string): ZoneSigner {
    return new ZoneSigner(zone, signing, new SigningPace(new SigningLimits()), () => nowSeconds);
  }

  function sourceOf(...zones: { name: string; rrsets: readonly Rrset[] }[]): MemorySource {
    const source = new MemorySource();
    for (const zone of zones) source.put(zone, signing);
    return source;
  }

  /** Everything is signed, or is not ours to sign. */
  function assertSigned(apex: string, sections: readonly (readonly Rrset[])[], cut: string | undefined): void {
    for (const sets of sections) {
      const signatures = sets.filter(({ type }) => type === rrTypes.RRSIG);
      for (const set of sets) {
        if (set.type === rrTypes.RRSIG || (set.type === rrTypes.NS && set.name === cut)) continue;
        const isSynthesized = set.type === rrTypes.CNAME && sets.some(({ type }) => type === rrTypes.DNAME);
        const signature = signatures.find(
          ({ name, rdata }) => name === set.name && new Reader(rdata[0]!).u16() === set.type,
        );
        if (isSynthesized) continue;
        assert.ok(signature, `${set.name} ${typeName(set.type)} is signed`);
        const rdata = Buffer.from(signature.rdata[0]!);
        const [labels, ttl] = [rdata[3]!, rdata.readUInt32BE(4)];
        const ancestors = ancestorNames(set.name);
        const encloser = ancestors[ancestors.length - 1 - labels]!;
        const name = encloser === set.name ? set.name : `*.${encloser}`;
        const header = rdata.subarray(0, rdata.length - 64);
        const signed = bytesToSign(header, { ...set, name, ttl });
        assert.ok(
          isSignedBy(signing.keys[0]!.dnskey, signed, rdata.subarray(-64)),
          `${set.name} ${typeName(set.type)}`,
        );
        assert.equal(new Reader(rdata, 18).name(), apex);
      }
    }
  }

  it('gives the answers of the unsigned zone, signed, and proves what does not exist', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = randomFrom(seed);
      const content = makeZone('alpha.test', random);
      const source = sourceOf(content);
      const zones = new SignedZones(source, () => nowSeconds);
      const zone = (await source.findZone(['alpha.test']))!;
      for (const { name, type } of makeQuestions([content], random, 100)) {
        if (!isWithin(name, 'alpha.test') || type === rrTypes.ANY) continue;
        const label = `seed ${seed}: ${name} ${typeName(type)}`;
        const expected = await answerQuestion({ name, type, maySeeHidden: () => false }, source);
        const answer = (await zones.answer(zone, { name, type, dnssecOk: true }))!;
        assert.equal(answer.rcode, expected.rcode, label);
        assert.equal(answer.authoritative, expected.authoritative, label);
        const plain = (sets: readonly Rrset[]) =>
          sets
            .filter((set) => set.type !== rrTypes.RRSIG && set.type !== rrTypes.NSEC)
            .map((set) => [set.name, set.type, set.ttl, set.rdata.map((data) => Buffer.from(data).toString('hex'))]);
        assert.deepEqual(plain(answer.answers), plain(expected.answers), label);
        const isReferral = !expected.authoritative || expected.authorities[0]?.type === rrTypes.NS;
        const cut = isReferral ? expected.authorities[0]!.name : undefined;
        assert.deepEqual(
          plain(answer.authorities.filter((set) => !isReferral || set.type !== rrTypes.DS)),
          plain(expected.authorities),
          label,
        );
        assert.deepEqual(plain(answer.additionals), plain(expected.additionals), label);
        assertSigned('alpha.test', [answer.answers, answer.authorities], cut);
        assertProven(content.rrsets, name, type, answer, cut, label);
      }
    }
  });

  function assertProven(
    rrsets: readonly Rrset[],
    asked: string,
    type: number,
    answer: Answer,
    cut: string | undefined,
    label: string,
  ): void {
    const proofs = proofsIn(answer);
    const hasAnyOf = (name: string) => rrsets.some((set) => isWithin(set.name, name));
    const last = answer.answers.findLast((set) => set.type === rrTypes.CNAME);
    const name = last === undefined || type === rrTypes.CNAME ? asked : new Reader(last.rdata[0]!).name();
    if (cut !== undefined) {
      const isSecure = answer.authorities.some((set) => set.type === rrTypes.DS);
      const proof = proofs.find(({ owner }) => owner === cut);
      assert.equal(isSecure, proof === undefined, label);
      if (proof !== undefined) assert.deepEqual(proof.types, ['NS', 'RRSIG', 'NSEC'], label);
      return;
    }
    const encloser = ancestorNames(name).find(hasAnyOf)!;
    if (answer.rcode === rcodes.NXDOMAIN) {
      for (const missing of [name, `*.${encloser}`])
        assert.ok(
          proofs.some((proof) => covers(proof, missing, 'alpha.test')),
          `${label}: ${missing}`,
        );
      return;
    }
    if (answer.authorities.some((set) => set.type === rrTypes.SOA)) {
      const candidate = encloser === name ? name : `*.${encloser}`;
      const owner = rrsets.some((set) => set.name === candidate) ? candidate : undefined;
      const matching = proofs.find((proof) => proof.owner === owner);
      if (owner !== undefined) assert.ok(!matching!.types.includes(typeName(type)), label);
      else
        assert.ok(
          proofs.some((proof) => covers(proof, name, 'alpha.test')),
          label,
        );
      if (encloser !== name)
        assert.ok(
          proofs.some((proof) => covers(proof, name, 'alpha.test')),
          label,
        );
    }
  }

  it('has one chain through exactly the names with authoritative records', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { rrsets } = makeZone('alpha.test', randomFrom(seed));
      const nsecs = [...new SignedZone(signerOf('alpha.test'), rrsets).allSets()]
        .map(({ set }) => set)
        .filter(({ type }) => type === rrTypes.NSEC);
      const cuts = rrsets
        .filter(({ name, type }) => type === rrTypes.NS && name !== 'alpha.test')
        .map(({ name }) => name);
      const owned = new Set(
        rrsets.map(({ name }) => name).filter((name) => !cuts.some((cut) => cut !== name && isWithin(name, cut))),
      );
      const order = [...owned].sort(compareNames);
      assert.deepEqual(
        nsecs.map(({ name }) => name),
        order,
      );
      assert.deepEqual(
        nsecs.map(({ rdata }) => new Reader(rdata[0]!).name()),
        [...order.slice(1), 'alpha.test'],
      );
    }
  });

  it('is the same after changes of single names as when it is built again, and keeps other signatures', async () => {
    const random = randomFrom(3);
    let { rrsets } = makeZone('alpha.test', random);
    const source = sourceOf({ name: 'alpha.test', rrsets });
    const zone = (await source.findZone(['alpha.test']))!;
    const zones = new SignedZones(source, () => nowSeconds);
    const listed = async () => {
      const sets: string[] = [];
      for await (const { name, type, ttl, rdata } of zones.transfer(zone))
        if (type !== rrTypes.RRSIG)
          sets.push(`${name} ${ttl} ${type} ${rdata.map((data) => Buffer.from(data).toString('hex')).join()}`);
      return sets.sort();
    };
    await listed();
    const apexNs = (await zones.answer(zone, { name: 'alpha.test', type: rrTypes.NS, dnssecOk: true }))!.answers[1];
    for (let change = 0; change < 60; change++) {
      const names = [...new Set(rrsets.map(({ name }) => name))];
      const name = random(2)
        ? names[random(names.length)]!
        : `n${random(30)}.${names[random(names.length)]!.replace('*.', '')}`;
      if (name === 'alpha.test') continue;
      const address = { name, type: rrTypes.A, ttl: 60, rdata: [contentToWire(rrTypes.A, `192.0.2.${change}`)] };
      const after: Rrset[] = [
        [],
        [address],
        [{ ...address, type: rrTypes.NS, rdata: [contentToWire(rrTypes.NS, 'ns.elsewhere.test')] }],
      ][random(3)]!;
      rrsets = [...rrsets.filter((set) => set.name !== name), ...after];
      source.put({ name: 'alpha.test', rrsets }, signing);
      zones.changed(Number(zone.id), name);
      const incremental = await listed();
      zones.changed(Number(zone.id));
      assert.deepEqual(incremental, await listed(), `change ${change} at ${name}`);
    }
    const again = (await zones.answer(zone, { name: 'alpha.test', type: rrTypes.NS, dnssecOk: true }))!.answers[1];
    assert.equal(again, apexNs);
  });

  it('renews signatures long before they expire, while the old ones are still sent', async () => {
    let now = nowSeconds;
    const source = sourceOf(makeZone('alpha.test', randomFrom(1)));
    const zones = new SignedZones(source, () => now);
    const zone = (await source.findZone(['alpha.test']))!;
    const expiration = async () => {
      const { answers } = (await zones.answer(zone, { name: 'alpha.test', type: rrTypes.SOA, dnssecOk: true }))!;
      return expirationOf(answers[1]!.rdata[0]!);
    };
    const first = await expiration();
    assert.ok(first > now + 10 * daySeconds && first <= now + 14 * daySeconds);
    now += 2 * daySeconds;
    assert.equal(await expiration(), first);
    now += 6 * daySeconds;
    assert.equal(await expiration(), first, 'sent once more');
    const { answers } = (await zones.answer(zone, { name: 'alpha.test', type: rrTypes.SOA, dnssecOk: true }))!;
    await (answers[0] as SignedSet).signing;
    assert.ok((await expiration()) > now + 10 * daySeconds);
    now += 8 * daySeconds;
    for await (const { type, rdata } of zones.transfer(zone))
      if (type === rrTypes.RRSIG) assert.ok(expirationOf(rdata[0]!) > now + 10 * daySeconds, 'transferred');
  });

  it('gets a limited number of signatures in a second, and a query does not wait for its turn for long', async () => {
    const pace = new SigningPace(new SigningLimits(), () => 0);
    let rejected = 0;
    for (let count = 0; count < 4000; count++)
      pace.waitForTurn(1, 'query').catch((error: unknown) => {
        assert.ok(error instanceof OverSigningLimit);
        rejected++;
      });
    await nextTurn();
    assert.equal(rejected, 1000);
  });
});
