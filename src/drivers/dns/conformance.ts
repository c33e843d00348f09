// What every DNS driver must do, told as tests that any of them can be run through. The witness is dig: not what the driver
// says it did, but what the world gets to see.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parseMasterFile } from '#wire/dns/masterfile-parse.ts';
import { contentToWire, wireToContent } from '#wire/dns/rdata.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { TYPE, typeName } from '#wire/dns/types.ts';
import type { ServerAddress } from './client.ts';
import type { DnsDriver, WantedZone } from './driver.ts';

export interface Candidate extends AsyncDisposable {
  readonly driver: DnsDriver;
  readonly server: ServerAddress;
  /** Puts the zone into, or takes it out of, the authority that the driver publishes from. */
  store(zone: WantedZone): void;
  forget(zone: string): void;
}

const key = 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';

/** One record of each type that a customer may write, at a name of its own unless the type belongs to the apex. */
export const SAMPLES = {
  A: '192.0.2.10',
  AAAA: '2001:db8::10',
  NS: 'ns9.lab.test',
  CERT: '1 12345 8 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
  CNAME: 'www.elsewhere.test',
  DNSKEY: `257 3 13 ${key}`,
  DS: `2371 13 2 ${'1f987cc6'.repeat(8)}`,
  KEY: '256 3 8 AwEAAa+dpdDFyYQBDqXCwT2x',
  LOC: '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m',
  MX: '10 mail.elsewhere.test',
  NAPTR: '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.test!" .',
  PTR: 'host.elsewhere.test',
  RP: 'admin.elsewhere.test text.elsewhere.test',
  SPF: '"v=spf1 -all"',
  SRV: '10 20 5060 sip.elsewhere.test',
  SSHFP: `4 2 ${'1f987cc6'.repeat(8)}`,
  TXT: `"say \\"hi\\"; \\195\\188" "${'k'.repeat(255)}" "${'k'.repeat(45)}"`,
} as const;

export function rrset(name: string, type: keyof typeof TYPE, ...contents: string[]): Rrset {
  return { name, type: TYPE[type], ttl: 300, rdata: contents.map((content) => contentToWire(TYPE[type], content)) };
}

export function zoneOf(name: string, serial: number, ...rrsets: Rrset[]): WantedZone {
  const soa = rrset(name, 'SOA', `ns1.lab.test hostmaster.lab.test ${serial} 10800 3600 604800 3600`);
  return { name, rrsets: [soa, rrset(name, 'NS', 'ns1.lab.test', 'ns2.lab.test'), ...rrsets] };
}

export function zoneOfEveryType(name: string, serial: number): WantedZone {
  const sets = Object.entries(SAMPLES).map(([type, content]) =>
    rrset(type === 'DNSKEY' ? name : `${type.toLowerCase()}.${name}`, type as keyof typeof SAMPLES, content),
  );
  return zoneOf(name, serial, ...sets);
}

/** What dig prints, in our canonical form: `content` lines of the answer section, or the code where it is not NOERROR. */
export async function dig(server: ServerAddress, name: string, type: string, ...more: string[]): Promise<string[]> {
  const place = [`@${server.address}`, '-p', String(server.port)];
  const args = [
    ...place,
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

export function describeDnsDriver(title: string, options: { skip?: string }, open: () => Promise<Candidate>): void {
  describe(title, options, () => {
    let candidate: Candidate;
    const deadline = () => AbortSignal.timeout(60_000);
    const publish = async (zone: WantedZone) => {
      candidate.store(zone);
      await candidate.driver.publish(zone, deadline());
    };
    const remove = async (zone: string) => {
      candidate.forget(zone);
      await candidate.driver.remove(zone, deadline());
    };
    before(async () => void (candidate = await open()));
    after(() => candidate?.[Symbol.asyncDispose]());

    it('answers every record type of a published zone', async () => {
      await publish(zoneOfEveryType('types.test', 1));
      for (const [type, content] of Object.entries(SAMPLES)) {
        // The parent answers a delegation with a referral, which is in the authority section.
        const more = type === 'NS' ? ['+authority'] : [];
        const name = type === 'DNSKEY' ? 'types.test' : `${type.toLowerCase()}.types.test`;
        assert.deepEqual(await dig(candidate.server, name, type, ...more), [content], type);
      }
      assert.deepEqual(await dig(candidate.server, 'types.test', 'SOA'), [
        'ns1.lab.test hostmaster.lab.test 1 10800 3600 604800 3600',
      ]);
    });

    it('shows each change when the call returns, under the serial that we give', async () => {
      const www = (...addresses: string[]) => rrset('www.changes.test', 'A', ...addresses);
      const steps: [number, Rrset[], string[]][] = [
        [5, [www('192.0.2.1')], ['192.0.2.1']],
        [6, [www('192.0.2.1', '192.0.2.2')], ['192.0.2.1', '192.0.2.2']],
        [7, [www('192.0.2.3')], ['192.0.2.3']],
        [9, [rrset('other.changes.test', 'TXT', 'x')], ['NXDOMAIN']],
      ];
      for (const [serial, sets, seen] of steps) {
        await publish(zoneOf('changes.test', serial, ...sets));
        assert.deepEqual(await dig(candidate.server, 'www.changes.test', 'A'), seen);
        const [soa] = await dig(candidate.server, 'changes.test', 'SOA');
        assert.equal(soa?.split(' ')[2], String(serial));
      }
    });

    it('takes the same zone twice', async () => {
      await publish(zoneOf('twice.test', 1, rrset('a.twice.test', 'A', '192.0.2.1')));
      await publish(zoneOf('twice.test', 1, rrset('a.twice.test', 'A', '192.0.2.1')));
      assert.deepEqual(await dig(candidate.server, 'a.twice.test', 'A'), ['192.0.2.1']);
    });

    it('no longer answers for a zone that was removed, and removes it twice', async () => {
      await publish(zoneOf('removed.test', 1));
      await remove('removed.test');
      assert.deepEqual(await dig(candidate.server, 'removed.test', 'SOA'), ['REFUSED']);
      await remove('removed.test');
    });

    it('reads back exactly what was published, and nothing where there is nothing', async () => {
      const wanted = zoneOfEveryType('read.test', 3);
      await publish(wanted);
      const comparable = (sets: readonly Rrset[] = []) =>
        sets
          .flatMap(({ name, type, ttl, rdata }) =>
            rdata.map((data) => `${name} ${ttl} ${typeName(type)} ${wireToContent(type, data, 'plain')}`),
          )
          .sort();
      assert.deepEqual(comparable(await candidate.driver.read('read.test', deadline())), comparable(wanted.rrsets));
      assert.equal(await candidate.driver.read('absent.test', deadline()), undefined);
    });

    it('lists its zones with their serials', async () => {
      await publish(zoneOf('listed.test', 77));
      const listed = await candidate.driver.list(deadline());
      assert.deepEqual(
        listed.filter(({ name }) => name === 'listed.test'),
        [{ name: 'listed.test', serial: 77 }],
      );
    });

    it('holds reverse zones: IPv4, classless (RFC 2317) and IPv6', async () => {
      const zones = ['113.0.203.in-addr.arpa', '0/26.2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'];
      for (const zone of zones) {
        await publish(zoneOf(zone, 1, rrset(`7.${zone}`, 'PTR', 'host7.example.test')));
        assert.deepEqual(await dig(candidate.server, `7.${zone}`, 'PTR'), ['host7.example.test']);
        await remove(zone);
      }
    });

    it('takes many changes at once, and ends with the last of each zone', async () => {
      const zones = ['one.busy.test', 'two.busy.test', 'three.busy.test'];
      const changes = Array.from({ length: 8 }, (_, index) => index + 1).flatMap((serial) =>
        zones.map((zone) => publish(zoneOf(zone, serial, rrset(`a.${zone}`, 'TXT', `change ${serial}`)))),
      );
      await Promise.all(changes);
      for (const zone of zones) assert.deepEqual(await dig(candidate.server, `a.${zone}`, 'TXT'), ['"change 8"']);
    });

    it('signs where it can: DS records while it is on, none after', async () => {
      const { dnssec } = candidate.driver;
      if (!dnssec) return;
      await publish(zoneOf('signed.test', 1, rrset('a.signed.test', 'A', '192.0.2.1')));
      assert.deepEqual(await dnssec.ds('signed.test', deadline()), []);
      const ds = await dnssec.enable('signed.test', deadline());
      assert.ok(ds.length > 0 && ds.every((content) => contentToWire(TYPE.DS, content)));
      assert.deepEqual(await dnssec.enable('signed.test', deadline()), ds, 'a second time keeps the keys');
      assert.equal((await dig(candidate.server, 'signed.test', 'DNSKEY', '+dnssec')).length, 1);
      await publish(zoneOf('signed.test', 2, rrset('a.signed.test', 'A', '192.0.2.2')));
      assert.deepEqual(await dig(candidate.server, 'a.signed.test', 'A', '+dnssec'), ['192.0.2.2']);
      assert.equal((await dig(candidate.server, 'a.signed.test', 'RRSIG', '+dnssec')).length, 1);
      await dnssec.disable('signed.test', deadline());
      await dnssec.disable('signed.test', deadline());
      assert.deepEqual(await dnssec.ds('signed.test', deadline()), []);
      assert.deepEqual(await dig(candidate.server, 'a.signed.test', 'A'), ['192.0.2.2']);
    });
  });
}
