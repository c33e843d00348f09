// The conformance suite of all DNS drivers. Results are checked with dig, not by what the driver reports.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parseMasterFile } from '#protocols/dns/masterfile-parse.ts';
import { contentToWire, wireToContent } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes, typeName, typeNumber } from '#protocols/dns/types.ts';
import type { ServerAddress } from './client.ts';
import type { DnsDriver, ZoneContent } from './driver.ts';

export interface DnsFixture extends AsyncDisposable {
  readonly driver: DnsDriver;
  readonly server: ServerAddress;
}

const key = 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';

/**
 * One record of each type that customers may create, at a separate owner name unless the type belongs to the apex.
 */
export const sampleRecords = {
  A: '192.0.2.10',
  AAAA: '2001:db8::10',
  CAA: '0 issue "letsencrypt.org; validationmethods=dns-01; accounturi=https://ca.test/1"',
  CDNSKEY: `257 3 13 ${key}`,
  CDS: `2371 13 2 ${'1f987cc6'.repeat(8)}`,
  NS: 'ns9.lab.test',
  CERT: '1 12345 8 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
  CNAME: 'www.elsewhere.test',
  DNAME: 'other.elsewhere.test',
  DNSKEY: `257 3 13 ${key}`,
  DS: `2371 13 2 ${'1f987cc6'.repeat(8)}`,
  HINFO: '"Intel" "Debian 12"',
  HTTPS: '1 . alpn=h2,h3 port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1',
  KEY: '256 3 8 AwEAAa+dpdDFyYQBDqXCwT2x',
  LOC: '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m',
  MX: '10 mail.elsewhere.test',
  NAPTR: '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.test!" .',
  OPENPGPKEY: 'mQENBFhXAxoBCAC0',
  PTR: 'host.elsewhere.test',
  RP: 'admin.elsewhere.test text.elsewhere.test',
  SMIMEA: `3 0 1 ${'1f987cc6'.repeat(8)}`,
  SPF: '"v=spf1 -all"',
  SRV: '10 20 5060 sip.elsewhere.test',
  SSHFP: `4 2 ${'1f987cc6'.repeat(8)}`,
  SVCB: '16 svc.elsewhere.test mandatory=alpn,key667 alpn=h2 ech="AAAA" key7="/q{?dns}" key667="hello"',
  TLSA: `3 1 1 ${'1f987cc6'.repeat(8)}`,
  TXT: `"say \\"hi\\"; \\195\\188" "${'k'.repeat(255)}" "${'k'.repeat(45)}"`,
  URI: '10 1 "https://elsewhere.test/a;b"',
  TYPE65280: '\\# 3 abcdef',
} as const;

/** Returns the owner of a sample record in a zone. */
export function sampleOwner(zone: string, type: string): string {
  return ['CDNSKEY', 'CDS', 'DNSKEY'].includes(type) ? zone : `${type.toLowerCase()}.${zone}`;
}

export function rrset(name: string, type: string, ...contents: string[]): Rrset {
  const number = typeNumber(type);
  return { name, type: number, ttl: 300, rdata: contents.map((content) => contentToWire(number, content)) };
}

export function createZone(name: string, serial: number, ...rrsets: Rrset[]): ZoneContent {
  const soa = rrset(name, 'SOA', `ns1.lab.test hostmaster.lab.test ${serial} 10800 3600 604800 3600`);
  return { name, rrsets: [soa, rrset(name, 'NS', 'ns1.lab.test', 'ns2.lab.test'), ...rrsets] };
}

export function createZoneOfAllTypes(name: string, serial: number): ZoneContent {
  const sets = Object.entries(sampleRecords).map(([type, content]) => rrset(sampleOwner(name, type), type, content));
  return createZone(name, serial, ...sets);
}

/** Returns the answer section in canonical form, one content per line, or the status if it is not NOERROR. */
export async function dig(server: ServerAddress, name: string, type: string, ...more: string[]): Promise<string[]> {
  const target = [`@${server.address}`, '-p', String(server.port)];
  const args = [
    ...target,
    '+norecurse',
    '+noall',
    '+comments',
    '+answer',
    '+time=10',
    '+tries=2',
    ...more,
    '-q',
    `${name}.`,
    '-t',
    type,
  ];
  const { stdout } = await promisify(execFile)('dig', args);
  const code = /status: (\w+)/.exec(stdout)?.[1] ?? 'no answer';
  if (code !== 'NOERROR') return [code];
  const { records, problems } = parseMasterFile(stdout, { zone: '', defaultTtl: 0 });
  assert.deepEqual(problems, [], stdout);
  return records
    .filter((record) => typeName(record.type) === type || type === 'ANY')
    .map((record) => wireToContent(record.type, record.rdata[0]!, 'plain'))
    .sort();
}

export function describeDnsDriver(title: string, options: { skip?: string }, open: () => Promise<DnsFixture>): void {
  describe(title, options, () => {
    let fixture: DnsFixture;
    const deadline = () => AbortSignal.timeout(60_000);
    const publish = (zone: ZoneContent) => fixture.driver.publish(zone, deadline());
    const remove = (zone: string) => fixture.driver.remove(zone, deadline());
    before(async () => void (fixture = await open()));
    after(() => fixture?.[Symbol.asyncDispose]());

    it('a driver serves every record type', async () => {
      await publish(createZoneOfAllTypes('types.test', 1));
      for (const [type, content] of Object.entries(sampleRecords)) {
        // A delegation is answered with a referral, in the authority section.
        const more = type === 'NS' ? ['+authority'] : [];
        assert.deepEqual(await dig(fixture.server, sampleOwner('types.test', type), type, ...more), [content], type);
      }
      assert.deepEqual(await dig(fixture.server, 'types.test', 'SOA'), [
        'ns1.lab.test hostmaster.lab.test 1 10800 3600 604800 3600',
      ]);
    });

    it('each change is visible when the call returns, with our serial', async () => {
      const www = (...addresses: string[]) => rrset('www.changes.test', 'A', ...addresses);
      const steps: [number, Rrset[], string[]][] = [
        [5, [www('192.0.2.1')], ['192.0.2.1']],
        [6, [www('192.0.2.1', '192.0.2.2')], ['192.0.2.1', '192.0.2.2']],
        [7, [www('192.0.2.3')], ['192.0.2.3']],
        [9, [rrset('other.changes.test', 'TXT', 'x')], ['NXDOMAIN']],
      ];
      for (const [serial, sets, expected] of steps) {
        await publish(createZone('changes.test', serial, ...sets));
        assert.deepEqual(await dig(fixture.server, 'www.changes.test', 'A'), expected);
        const [soa] = await dig(fixture.server, 'changes.test', 'SOA');
        assert.equal(soa?.split(' ')[2], String(serial));
      }
    });

    it('a driver accepts the same zone twice', async () => {
      await publish(createZone('twice.test', 1, rrset('a.twice.test', 'A', '192.0.2.1')));
      await publish(createZone('twice.test', 1, rrset('a.twice.test', 'A', '192.0.2.1')));
      assert.deepEqual(await dig(fixture.server, 'a.twice.test', 'A'), ['192.0.2.1']);
    });

    it('a removed zone is no longer served, and removing it again succeeds', async () => {
      await publish(createZone('removed.test', 1));
      await remove('removed.test');
      assert.deepEqual(await dig(fixture.server, 'removed.test', 'SOA'), ['REFUSED']);
      await remove('removed.test');
    });

    it('a driver reads back exactly what was published', async () => {
      const published = createZoneOfAllTypes('read.test', 3);
      await publish(published);
      const comparable = (sets: readonly Rrset[] = []) =>
        sets
          .flatMap(({ name, type, ttl, rdata }) =>
            rdata.map((data) => `${name} ${ttl} ${typeName(type)} ${wireToContent(type, data, 'plain')}`),
          )
          .sort();
      assert.deepEqual(comparable(await fixture.driver.read('read.test', deadline())), comparable(published.rrsets));
      assert.equal(await fixture.driver.read('absent.test', deadline()), undefined);
    });

    it('a driver lists its zones with their serials', async () => {
      await publish(createZone('listed.test', 77));
      const listed = await fixture.driver.list(deadline());
      assert.deepEqual(
        listed.filter(({ name }) => name === 'listed.test'),
        [{ name: 'listed.test', serial: 77 }],
      );
    });

    it('a driver serves reverse zones: IPv4, classless (RFC 2317) and IPv6', async () => {
      const zones = ['113.0.203.in-addr.arpa', '0/26.2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'];
      for (const zone of zones) {
        await publish(createZone(zone, 1, rrset(`7.${zone}`, 'PTR', 'host7.example.test')));
        assert.deepEqual(await dig(fixture.server, `7.${zone}`, 'PTR'), ['host7.example.test']);
        await remove(zone);
      }
    });

    it('concurrent changes end with the last one of each zone', async () => {
      const zones = ['one.busy.test', 'two.busy.test', 'three.busy.test'];
      const changes = Array.from({ length: 8 }, (_, index) => index + 1).flatMap((serial) =>
        zones.map((zone) => publish(createZone(zone, serial, rrset(`a.${zone}`, 'TXT', `change ${serial}`)))),
      );
      await Promise.all(changes);
      for (const zone of zones) assert.deepEqual(await dig(fixture.server, `a.${zone}`, 'TXT'), ['"change 8"']);
    });

    it('a driver with DNSSEC returns DS records while signing is enabled, and none after', async () => {
      const { dnssec } = fixture.driver;
      if (!dnssec) return;
      await publish(createZone('signed.test', 1, rrset('a.signed.test', 'A', '192.0.2.1')));
      assert.deepEqual(await dnssec.ds('signed.test', deadline()), []);
      const ds = await dnssec.enable('signed.test', deadline());
      assert.ok(ds.length > 0 && ds.every((content) => contentToWire(rrTypes.DS, content)));
      assert.deepEqual(await dnssec.enable('signed.test', deadline()), ds, 'enabling again keeps the keys');
      assert.equal((await dig(fixture.server, 'signed.test', 'DNSKEY', '+dnssec')).length, 1);
      await publish(createZone('signed.test', 2, rrset('a.signed.test', 'A', '192.0.2.2')));
      assert.deepEqual(await dig(fixture.server, 'a.signed.test', 'A', '+dnssec'), ['192.0.2.2']);
      assert.equal((await dig(fixture.server, 'a.signed.test', 'RRSIG', '+dnssec')).length, 1);
      await dnssec.disable('signed.test', deadline());
      await dnssec.disable('signed.test', deadline());
      assert.deepEqual(await dnssec.ds('signed.test', deadline()), []);
      assert.deepEqual(await dig(fixture.server, 'a.signed.test', 'A'), ['192.0.2.2']);
    });
  });
}
