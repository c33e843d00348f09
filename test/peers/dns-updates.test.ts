// Updates (RFC 2136) of the built-in name server's zones with keys of customers: what nsupdate gets for each case, what
// a limited key cannot do, and real certificates through lego and certbot.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'node:test';
import { dig } from '#drivers/dns/conformance.ts';
import { decodeMessage } from '#protocols/dns/message.ts';
import { wireLength } from '#protocols/dns/name.ts';
import { signMessage, tsigErrors, verifyMessage, type TsigKey } from '#protocols/dns/tsig.ts';
import { rcodes } from '#protocols/dns/types.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { dnsCalls, readSerial, type DnsCalls } from '#test/support/dns-fixtures.ts';
import {
  createTsigKey,
  nsupdate,
  protocolKey,
  sendUdp,
  updateMessage,
  type NewTsigKey,
} from '#test/support/dns-updates.ts';
import { needs } from '#test/support/needs.ts';
import { issueWithLego, startPebble, type Pebble } from '#test/support/pebble.ts';
import { createKey } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';
import { transferZone } from '#test/support/zone-transfer.ts';

const zone = 'update.example.com';
const foreignZone = 'foreign.example.com';
const acmeOnly = [{ names: ['_acme-challenge.**'], types: ['TXT'] }];
const acmeClients = needs('pebble', 'lego', 'certbot', 'openssl', 'curl');
const run = promisify(execFile);

describe('updates of zones', needs('dig', 'nsupdate'), () => {
  const owned = suiteResources();
  let app: TestApp;
  let dns: DnsCalls;
  let domain: string;
  let key: NewTsigKey;
  const update = (...lines: string[]) => nsupdate(app.dns, key, zone, lines);
  const serial = () => readSerial(app.dns, zone);

  before(async () => {
    app = owned.use(
      await openTestApp({
        site: {
          nameserver: {
            names: ['ns1.example.net', 'ns2.example.net'],
            listen: '127.0.0.1:0',
            transfer: { keys: [{ name: 'site.key', algorithm: 'hmac-sha256', secret: 'c2l0ZSBzZWNyZXQ=' }] },
            catalog: 'catalog.example.net',
          },
        },
      }),
    );
    dns = dnsCalls(app, app.lab.customer.key);
    domain = await dns.makeZone(zone);
    await dnsCalls(app, app.lab.stranger.key).makeZone(foreignZone);
    key = await createTsigKey(app, app.lab.customer.key, { name: 'host 1' });
  });

  /** Runs the update, and checks the response and by how much the serial moved. */
  async function expectUpdate(expected: string, moves: 0 | 1, ...lines: string[]): Promise<void> {
    const earlier = await serial();
    assert.equal(await update(...lines), expected, lines.join('; '));
    assert.equal((await serial()) - earlier, moves, lines.join('; '));
  }

  it('are changes like others: in answers, history, events and the audit log', async () => {
    await expectUpdate('NOERROR', 1, `add www.${zone} 300 A 192.0.2.1`, `add www.${zone} 300 A 192.0.2.2`);
    assert.deepEqual(await dig(app.dns, `www.${zone}`, 'A'), ['192.0.2.1', '192.0.2.2']);
    const [version] = await dns.call<{ operation: string; version: string; added: unknown[] }[]>(
      'GET',
      '/v2/dns/history',
      { domain, limit: 1 },
    );
    assert.equal(version!.operation, 'dns.update');
    assert.equal(version!.added.length, 2);
    assert.equal((await dns.eventOf('dns.zone.changed', zone))?.['added'], 2);
    const audit = await dns.call<{ operation: string; target: string; key: string; outcome: string }[]>(
      'GET',
      '/v2/account/audit',
      { limit: 1 },
    );
    const { operation, target, outcome } = audit[0]!;
    assert.deepEqual([operation, target, outcome, audit[0]!.key], ['dns.update', `zone=${zone}`, 'success', key.id]);
    const [listed] = await dns.call<Record<string, string>[]>('GET', '/v2/dns/tsig', {});
    assert.equal(listed!['tsigname'], key.tsigname);
    assert.equal(listed!['lastaddress'], '127.0.0.1');
    assert.equal(listed!['secret'], undefined);
    const before = await dns.call<{ version: string }[]>('GET', '/v2/dns/history', { domain, limit: 2 });
    await dns.call('POST', '/v2/dns/history', { domain, version: before[1]!.version });
    assert.deepEqual(await dig(app.dns, `www.${zone}`, 'A'), ['NXDOMAIN']);
  });

  it('get the responses of the table that clients rely on', async () => {
    await expectUpdate('NOERROR', 1, `add set.${zone} 300 TXT one`, `add set.${zone} 300 TXT two`);
    const ok = `add new.${zone} 300 TXT x`;
    await expectUpdate('NXRRSET', 0, `prereq yxrrset set.${zone} A`, ok);
    await expectUpdate('YXRRSET', 0, `prereq nxrrset set.${zone} TXT`, ok);
    await expectUpdate('NXDOMAIN', 0, `prereq yxdomain absent.${zone}`, ok);
    await expectUpdate('YXDOMAIN', 0, `prereq nxdomain set.${zone}`, ok);
    await expectUpdate('NXRRSET', 0, `prereq yxrrset set.${zone} TXT one`, ok);
    const all = [`prereq yxrrset set.${zone} TXT two`, `prereq yxrrset set.${zone} TXT one`];
    await expectUpdate('NOERROR', 0, ...all, `prereq nxdomain absent.${zone}`);
    await expectUpdate('NOERROR', 1, ...all, ok);
    await expectUpdate('NOERROR', 0, `add set.${zone} 300 TXT one`, `delete absent.${zone} A`, `delete gone.${zone}`);
    await expectUpdate('NOERROR', 1, `add set.${zone} 60 TXT one`);
    assert.deepEqual(
      (await dns.records(domain)).filter(({ name }) => name === `set.${zone}`).map(({ ttl }) => ttl),
      ['60', '60'],
    );
    await expectUpdate('NOERROR', 0, `delete ${zone} NS`, `delete ${zone} SOA`, `add set.${zone} 60 CNAME www.${zone}`);
    await expectUpdate('NOERROR', 1, `delete ${zone} NS ns2.example.net.`);
    await expectUpdate('NOERROR', 0, `delete ${zone} NS ns1.example.net.`);
    await expectUpdate('NOERROR', 1, `add alias.${zone} 60 CNAME www.${zone}`);
    await expectUpdate('NOERROR', 0, `add alias.${zone} 60 TXT next-to-it`);
    await expectUpdate(
      'NOERROR',
      1,
      `add zero.${zone} 0 A 192.0.2.3`,
      `add caa.${zone} 60 CAA 0 issue "letsencrypt.org"`,
      `add generic.${zone} 60 TYPE65280 \\# 3 abcdef`,
    );
    assert.deepEqual(await dig(app.dns, `caa.${zone}`, 'CAA'), ['0 issue "letsencrypt.org"']);
    await expectUpdate('NOERROR', 1, `delete set.${zone}`, `delete zero.${zone} A 192.0.2.3`);
    assert.deepEqual(await dig(app.dns, `set.${zone}`, 'TXT'), ['NXDOMAIN']);
    await expectUpdate('NOERROR', 1, `add long.${zone} 604800 A 192.0.2.3`);
    await expectUpdate('REFUSED', 0, `add long.${zone} 604801 A 192.0.2.4`);
    // nsupdate itself refuses names outside the zone.
    const outside = signMessage(updateMessage(zone, 'www.example.org', 'x'), protocolKey(key), {
      timeSeconds: nowSeconds(),
    });
    assert.equal((await sendUdp(app.dns, outside.bytes)).rcode, rcodes.NOTZONE);
    assert.equal(
      await nsupdate(app.dns, key, 'absent.example.com', ['add a.absent.example.com 60 A 192.0.2.1']),
      'NOTAUTH',
    );
    assert.equal(await nsupdate(app.dns, key, foreignZone, [`add a.${foreignZone} 60 A 192.0.2.1`]), 'REFUSED');
    assert.equal(await nsupdate(app.dns, undefined, zone, [`add ${ok}`.slice(4)]), 'REFUSED');
    const siteKey: NewTsigKey = { id: '', tsigname: 'site.key', algorithm: 'hmac-sha256', secret: 'c2l0ZSBzZWNyZXQ=' };
    assert.equal(await nsupdate(app.dns, siteKey, zone, [ok]), 'REFUSED');
    assert.equal(await nsupdate(app.dns, { ...key, secret: 'd3Jvbmc=' }, zone, [ok]), 'NOTAUTH(BADSIG)');
    assert.equal(await nsupdate(app.dns, { ...key, tsigname: 'hy-unknown' }, zone, [ok]), 'NOTAUTH(BADKEY)');
  });

  it('find the zone themselves, over TCP and with the other algorithm', async () => {
    const other = await createTsigKey(app, app.lab.customer.key, { algorithm: 'hmac-sha512' });
    assert.equal(await nsupdate(app.dns, other, '', [`add tcp.${zone} 60 A 192.0.2.4`], ['-v']), 'NOERROR');
    assert.deepEqual(await dig(app.dns, `tcp.${zone}`, 'A'), ['192.0.2.4']);
  });

  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const signed = (text: string, options: { timeSeconds?: number; key?: TsigKey } = {}) =>
    signMessage(updateMessage(zone, `replay.${zone}`, text), options.key ?? protocolKey(key), {
      timeSeconds: options.timeSeconds ?? nowSeconds(),
    });

  it('that come twice are carried out once, whatever happened since and wherever they arrive', async () => {
    const { bytes, mac } = signed('first');
    for (let copy = 0; copy < 3; copy++) {
      const answer = await sendUdp(app.dns, bytes);
      assert.equal(answer.rcode, rcodes.NOERROR);
      const check = { nowSeconds: nowSeconds(), priorMac: mac };
      assert.equal(verifyMessage(answer.bytes, answer.tsig!, protocolKey(key), check), tsigErrors.NONE);
    }
    await expectUpdate('NOERROR', 1, `delete replay.${zone} TXT`);
    const later = await serial();
    assert.equal((await sendUdp(app.dns, bytes)).rcode, rcodes.NOERROR);
    // A thread that has just started knows of no earlier messages, as another instance does.
    await app.parts.nameService.close();
    const dnsAddress = (await app.parts.nameService.open({ ...app.site.nameserver!, listen: '127.0.0.1:0' }))!;
    assert.equal((await sendUdp(dnsAddress, bytes)).rcode, rcodes.NOERROR);
    assert.deepEqual(await dig(dnsAddress, `replay.${zone}`, 'TXT'), ['NXDOMAIN']);
    assert.equal(await readSerial(dnsAddress, zone), later);
    Object.assign(app.dns, dnsAddress);
  });

  it('with a wrong time or a truncated signature are refused with a signed response', async () => {
    const late = signed('late', { timeSeconds: nowSeconds() - 301 });
    const answer = await sendUdp(app.dns, late.bytes);
    assert.deepEqual([answer.rcode, answer.tsig!.error], [rcodes.NOTAUTH, tsigErrors.BADTIME]);
    assert.ok(Math.abs(answer.tsig!.other.readUIntBE(0, 6) - nowSeconds()) < 60);
    assert.ok(answer.tsig!.mac.length > 0);
    const { bytes, mac } = signed('truncated');
    const macAt = bytes.lastIndexOf(mac);
    const truncated = Buffer.concat([bytes.subarray(0, macAt + 16), bytes.subarray(macAt + mac.length)]);
    truncated.writeUInt16BE(16, macAt - 2);
    const lengthAt = decodeMessage(bytes).tsig!.at + wireLength(key.tsigname) + 8;
    truncated.writeUInt16BE(bytes.readUInt16BE(lengthAt) - 16, lengthAt);
    const { rcode, tsig } = await sendUdp(app.dns, truncated);
    assert.deepEqual([rcode, tsig!.error, tsig!.mac.length], [rcodes.NOTAUTH, tsigErrors.BADTRUNC, mac.length]);
    assert.deepEqual(await dig(app.dns, `replay.${zone}`, 'TXT'), ['NXDOMAIN']);
  });

  it('with forged signatures never reach the API, and too many with a right one are put off', async () => {
    const { key: strangerKey } = app.lab.stranger;
    const created = await createTsigKey(app, strangerKey);
    const busy = protocolKey(created);
    const send = async (text: string, by: TsigKey) => {
      const message = updateMessage('absent.example.com', 'absent.example.com', text);
      return sendUdp(app.dns, signMessage(message, by, { timeSeconds: nowSeconds() }).bytes);
    };
    const forged = { ...busy, secret: Buffer.from('guess') };
    for (let attempt = 0; attempt < 50; attempt++)
      assert.equal((await send(`forged ${attempt}`, forged)).tsig!.error, tsigErrors.BADSIG);
    const listKeys = () => dnsCalls(app, strangerKey).call<Record<string, string>[]>('GET', '/v2/dns/tsig', {});
    assert.equal((await listKeys())[0]!['lastused'], '');
    const { queries } = app.parts.store;
    await queries.updateTable('keys').set({ rate: 1, burst: 2 }).where('id', '=', Number(created.id)).execute();
    const rcodesSeen = new Set<number>();
    for (let sent = 0; sent < 1000 && !rcodesSeen.has(rcodes.SERVFAIL); sent += 10) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => send(`many ${sent + index}`, busy)));
      for (const { rcode } of answers) rcodesSeen.add(rcode);
    }
    assert.deepEqual([...rcodesSeen], [rcodes.NOTAUTH, rcodes.SERVFAIL]);
    assert.notEqual((await listKeys())[0]!['lastused'], '');
  });

  it('cost by their size, so that large ones do not hold up others', async () => {
    const large = await createTsigKey(app, app.lab.stranger.key, { name: 'large' });
    const { queries } = app.parts.store;
    await queries.updateTable('keys').set({ rate: 1, burst: 30 }).where('id', '=', Number(large.id)).execute();
    const lines = (text: string) =>
      Array.from({ length: 400 }, (_, index) => `add n${index}.${foreignZone} 60 TXT ${text.repeat(60)}`);
    assert.equal(await nsupdate(app.dns, large, foreignZone, lines('a'), ['-v']), 'NOERROR');
    assert.equal(await nsupdate(app.dns, large, foreignZone, lines('b'), ['-v']), 'SERVFAIL');
  });

  it('with a limited key change only what it is limited to', async () => {
    const limited = await createTsigKey(app, app.lab.customer.key, { dns: JSON.stringify(acmeOnly) });
    const tryUpdate = (...lines: string[]) => nsupdate(app.dns, limited, zone, lines);
    const challenge = `_acme-challenge.www.${zone}`;
    assert.equal(await tryUpdate(`delete ${challenge} TXT`, `add ${challenge} 120 TXT value`), 'NOERROR');
    const earlier = await serial();
    for (const lines of [
      [`add www.${zone} 60 A 192.0.2.1`],
      [`add ${challenge} 60 A 192.0.2.1`],
      [`add ${challenge} 60 CNAME elsewhere.example.org`],
      [`add ${challenge} 60 TXT more`, `add www.${zone} 60 TXT more`],
      [`delete www.${zone} TXT`],
      [`delete ${challenge}`],
      [`delete ${zone} NS ns1.example.net.`],
    ])
      assert.equal(await tryUpdate(...lines), 'REFUSED', lines.join('; '));
    assert.equal(await serial(), earlier);
    assert.deepEqual(await dig(app.dns, challenge, 'TXT'), ['"value"']);
  });

  it('end with the key: it is refused within a second of its deletion, and once it has expired', async () => {
    const short = await createTsigKey(app, app.lab.customer.key);
    assert.equal(await nsupdate(app.dns, short, zone, [`add short.${zone} 60 A 192.0.2.1`]), 'NOERROR');
    await dns.call('DELETE', '/v2/dns/tsig', { id: short.id });
    await until(
      async () => (await nsupdate(app.dns, short, zone, [`add short.${zone} 60 A 192.0.2.2`])) === 'NOTAUTH(BADKEY)',
    );
    const expiring = await createTsigKey(app, app.lab.customer.key, { expires: nowSeconds() + 3600 });
    assert.equal(await nsupdate(app.dns, expiring, zone, [`delete short.${zone} A`]), 'NOERROR');
    app.pass(3_600_000);
    assert.equal(await nsupdate(app.dns, expiring, zone, [`add short.${zone} 60 A 192.0.2.2`]), 'REFUSED');
  });

  it('need keys, of which an account can have a hundred, and none that can do more than its creator', async () => {
    const { key: customerKey } = app.lab.customer;
    const limits = { scopes: ['account:keys', 'dns:read', 'dns:write'], dns: JSON.stringify(acmeOnly) };
    const creator = (await createKey(app, customerKey, limits)).key;
    const { id } = await createTsigKey(app, creator);
    const keys = await dns.call<{ id: string; dns: unknown[] }[]>('GET', '/v2/dns/tsig', {});
    assert.deepEqual(keys.find((listed) => listed.id === id)?.dns, acmeOnly);
    const anything = { name: 'more', dns: JSON.stringify([{ types: ['A'] }]) };
    await dnsCalls(app, creator).assertRejected(403, 'POST', '/v2/dns/tsig', anything);
    const reader = (await createKey(app, customerKey, { scopes: ['account:keys', 'dns:read'] })).key;
    await dnsCalls(app, reader).assertRejected(403, 'POST', '/v2/dns/tsig', { name: 'more' });
    await dnsCalls(app, app.lab.stranger.key).assertRejected(404, 'DELETE', '/v2/dns/tsig', { id });
    for (let count = keys.length; count < 100; count++) await createTsigKey(app, customerKey);
    await dns.assertRejected(409, 'POST', '/v2/dns/tsig', { name: 'more' });
    await dns.call('DELETE', '/v2/dns/tsig', { id });
    await createTsigKey(app, customerKey);
    for (const listed of (await dns.call<{ id: string; name: string }[]>('GET', '/v2/dns/tsig', {})).slice(1))
      await dns.call('DELETE', '/v2/dns/tsig', { id: listed.id });
  });

  it('do not let a key transfer more than the zones of its account', async () => {
    const limited = await createTsigKey(app, app.lab.customer.key, { dns: JSON.stringify(acmeOnly) });
    const transfer = (name: string, by: NewTsigKey) =>
      transferZone(app.dns, name, AbortSignal.timeout(20_000), protocolKey(by)).then(
        (records) => records.length > 0,
        (error: Error) => error.message,
      );
    assert.equal(await transfer(zone, key), true);
    const refused = `the transfer was refused with rcode ${rcodes.REFUSED}`;
    for (const [name, by] of [
      [foreignZone, key],
      ['catalog.example.net', key],
      ['113.0.203.in-addr.arpa', key],
      [zone, limited],
    ] as const)
      assert.equal(await transfer(name, by), refused, name);
    const options = ['-y', `${key.algorithm}:${key.tsigname}:${key.secret}`];
    assert.deepEqual(await dig(app.dns, 'catalog.example.net', 'SOA', ...options), ['REFUSED']);
    assert.equal((await dig(app.dns, zone, 'SOA', ...options)).length, 1);
  });

  describe('through ACME clients', { ...acmeClients, concurrency: true }, () => {
    let pebble: Pebble;
    before(async () => void (pebble = owned.use(await startPebble(app.dns))));

    /** Creates a zone and a key for nothing but its challenges. */
    async function createChallengeKey(name: string, algorithm: string): Promise<NewTsigKey> {
      await dns.makeZone(name);
      const dnsLimits = [{ zones: [name], ...acmeOnly[0] }];
      return createTsigKey(app, app.lab.customer.key, { algorithm, dns: JSON.stringify(dnsLimits) });
    }

    async function assertChallengesOnly(name: string, by: NewTsigKey): Promise<void> {
      const history = await dns.call<{ operation: string }[]>('GET', '/v2/dns/history', {
        domain: (await dns.call<{ domain_id: string; name: string }[]>('GET', '/v2/dns/domain', {})).find(
          (listed) => listed.name === name,
        )!.domain_id,
      });
      assert.ok(history.some(({ operation }) => operation === 'dns.update'));
      assert.deepEqual(await dig(app.dns, `_acme-challenge.${name}`, 'TXT'), ['NXDOMAIN'], 'the client cleaned up');
      assert.equal(await nsupdate(app.dns, by, name, [`add www.${name} 60 A 192.0.2.1`]), 'REFUSED');
      assert.equal(await nsupdate(app.dns, by, zone, [`add _acme-challenge.${zone} 60 TXT x`]), 'REFUSED');
    }

    it('certificates for an apex and its wildcard are issued to lego', async () => {
      const name = 'lego.example.com';
      const challengeKey = await createChallengeKey(name, 'hmac-sha256');
      const domains = [name, `*.${name}`];
      const { names } = await issueWithLego(pebble, {
        provider: 'rfc2136',
        domains,
        env: {
          RFC2136_NAMESERVER: `${app.dns.address}:${app.dns.port}`,
          RFC2136_TSIG_KEY: challengeKey.tsigname,
          RFC2136_TSIG_SECRET: challengeKey.secret,
          RFC2136_TSIG_ALGORITHM: `${challengeKey.algorithm}.`,
          RFC2136_POLLING_INTERVAL: '1',
          RFC2136_SEQUENCE_INTERVAL: '1',
        },
      });
      assert.deepEqual(names.sort(), domains.sort());
      await assertChallengesOnly(name, challengeKey);
    });

    it('certificates for an apex and its wildcard are issued to certbot', async () => {
      const name = 'certbot.example.com';
      const challengeKey = await createChallengeKey(name, 'hmac-sha512');
      const folder = (part: string) => join(pebble.folder, 'certbot', part);
      const credentials = join(pebble.folder, 'rfc2136.ini');
      const settings = {
        dns_rfc2136_server: app.dns.address,
        dns_rfc2136_port: app.dns.port,
        dns_rfc2136_name: challengeKey.tsigname,
        dns_rfc2136_secret: challengeKey.secret,
        dns_rfc2136_algorithm: challengeKey.algorithm.toUpperCase(),
      };
      const lines = Object.entries(settings).map(([setting, value]) => `${setting} = ${value}\n`);
      await writeFile(credentials, lines.join(''), { mode: 0o600 });
      const domains = [name, `*.${name}`];
      const options = [
        `certonly -n --server ${pebble.directory} --agree-tos -m a@example.com --no-eff-email`,
        `--config-dir ${folder('config')} --work-dir ${folder('work')} --logs-dir ${folder('logs')}`,
        `--dns-rfc2136 --dns-rfc2136-credentials ${credentials} --dns-rfc2136-propagation-seconds 1`,
        ...domains.map((domain) => `-d ${domain}`),
      ];
      const env = { ...process.env, REQUESTS_CA_BUNDLE: pebble.caFile };
      await run('certbot', options.join(' ').split(' '), { env });
      const names = await pebble.namesOf(join(folder('config'), 'live', name, 'cert.pem'));
      assert.deepEqual(names.sort(), domains.sort());
      await assertChallengesOnly(name, challengeKey);
    });
  });
});
