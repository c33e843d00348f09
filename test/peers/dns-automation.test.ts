// The doors for existing DNS tools: the PowerDNS-compatible API and lego's httpreq. Real ACME clients get real
// certificates from pebble, each with a key that may write challenges and nothing else.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { acmeRule } from '#contract/shapes/dns-limits.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { dnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { findBinary, needs } from '#test/support/needs.ts';
import { issueWithLego, startPebble, type Pebble } from '#test/support/pebble.ts';
import { powerdnsCalls, replaceSet, zonesPath, type ApiZone } from '#test/support/powerdns-calls.ts';
import { createKey, request } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const run = promisify(execFile);
const acmeShHook = join(import.meta.dirname, '..', 'support', 'acme-sh-hook.sh');

describe('existing DNS tools', () => {
  const owned = suiteResources();
  let app: TestApp;
  let dns: DnsCalls;
  let api: ReturnType<typeof powerdnsCalls>;
  let key: string;
  let acmeKey: string;

  before(async () => {
    app = owned.use(await openTestApp({ answersDns: true }));
    dns = dnsCalls(app, app.lab.customer.key);
    const scopes = ['dns:read', 'dns:write'];
    key = (await createKey(app, app.lab.customer.key, { scopes })).key;
    api = powerdnsCalls(app, key);
    acmeKey = (await createKey(app, app.lab.customer.key, { scopes, dns: [acmeRule()] })).key;
  });

  describe('at the PowerDNS-compatible API', () => {
    it('find the API, the server and the zones', async () => {
      await dns.makeZone('probe.example.org');
      assert.deepEqual((await api.call('GET', '/api')).body, [{ url: '/api/v1', version: 1 }]);
      assert.equal((await api.call('GET', '/api/v1')).status, 200);
      const { body: servers } = await api.call<unknown[]>('GET', '/api/v1/servers');
      const { body: server } = await api.call<{ version: string }>('GET', '/api/v1/servers/localhost');
      assert.deepEqual(servers, [server]);
      assert.equal(server.version, '4.9.0');
      assert.equal((await api.call('GET', '/api/v1/servers/localhost/config')).status, 404);
      const { body: zones } = await api.call<ApiZone[]>('GET', zonesPath);
      assert.ok(zones.some(({ id }) => id === 'probe.example.org.'));
      const { body: one } = await api.call<ApiZone[]>('GET', `${zonesPath}?zone=probe.example.org.`);
      assert.deepEqual(
        one,
        zones.filter(({ id }) => id === 'probe.example.org.'),
      );
      assert.deepEqual((await api.call('GET', `${zonesPath}?zone=absent.example.org.`)).body, []);
    });

    it('read a zone under every form of its name, in the order of keys that acme.sh needs', async () => {
      const id = await dns.makeZone('read.example.org');
      await dns.add(id, 'read.example.org', 'MX', '10 mail.read.example.org');
      await dns.add(id, '_acme-challenge.read.example.org', 'TXT', 'v');
      const texts = await Promise.all(
        ['read.example.org.', 'read.example.org', 'READ.example.org', 'read.ex=61mple.org.'].map(async (name) => {
          const response = await fetch(`${app.url}${zonesPath}/${name}`, { headers: { 'x-api-key': key } });
          return response.text();
        }),
      );
      assert.equal(new Set(texts).size, 1);
      const zone = JSON.parse(texts[0]!) as ApiZone;
      assert.equal(
        Object.keys(zone).join(),
        'account,api_rectify,dnssec,edited_serial,id,kind,last_check,masters,name,notified_serial,rrsets,serial,soa_edit,soa_edit_api,url',
      );
      assert.match(
        texts[0]!,
        /\{"comments":\[\],"name":"_acme-challenge.read.example.org.","records":\[\{"content":"\\"v\\"","disabled":false\}\],"ttl":3600,"type":"TXT"\}/,
      );
      assert.deepEqual(await api.contentsOf('read.example.org', 'read.example.org.', 'MX'), [
        '10 mail.read.example.org.',
      ]);
      assert.equal((await api.getZone('read.example.org', '?rrsets=false')).rrsets, undefined);
      const filtered = await api.getZone('read.example.org', '?rrset_name=read.example.org.&rrset_type=MX');
      assert.equal(filtered.rrsets.length, 1);
    });

    it('replace and delete sets, all or none, as one version', async () => {
      const id = await dns.makeZone('patch.example.org');
      const sets = [
        replaceSet('www.patch.example.org.', 'A', '192.0.2.1', '192.0.2.2'),
        { ...replaceSet('patch.example.org.', 'TXT', String.raw`"v=spf1 \; -all"`), kind: 'Master', comments: [{}] },
      ];
      const answer = await api.patch('patch.example.org.', ...sets);
      assert.deepEqual([answer.status, answer.body], [204, '']);
      assert.deepEqual(await api.contentsOf('patch.example.org', 'patch.example.org.', 'TXT'), ['"v=spf1 ; -all"']);
      const history = await dns.call<{ operation: string; added: unknown[] }[]>('GET', '/v2/dns/history', {
        domain: id,
      });
      assert.deepEqual(
        history.map(({ operation, added }) => [operation, added.length]),
        [
          ['automation.zonePatch', 3],
          ['v2.zoneCreate', 3],
        ],
      );
      const { serial } = await api.getZone('patch.example.org');
      assert.equal((await api.patch('patch.example.org', ...sets)).status, 204);
      assert.equal((await api.getZone('patch.example.org')).serial, serial, 'nothing changed');
      const refused = await api.patch(
        'patch.example.org',
        replaceSet('new.patch.example.org.', 'A', '192.0.2.3'),
        replaceSet('www.patch.example.org.', 'CNAME', 'new.patch.example.org.'),
      );
      assert.deepEqual(
        [refused.status, refused.body],
        [422, { error: 'RRset www.patch.example.org. IN CNAME: a CNAME cannot coexist with other records.' }],
      );
      assert.deepEqual(await api.contentsOf('patch.example.org', 'new.patch.example.org.', 'A'), []);
      assert.equal((await api.patch('patch.example.org', replaceSet('www.patch.example.org.', 'A'))).status, 204);
      const absent = { changetype: 'DELETE', name: 'www.patch.example.org.', type: 'A', ttl: 300, records: [] };
      assert.equal((await api.patch('patch.example.org', absent)).status, 204);
      assert.deepEqual(await dig(app.dns, 'www.patch.example.org', 'A'), ['NXDOMAIN']);
      assert.equal((await dns.eventOf('dns.zone.changed', 'patch.example.org'))?.['removed'], 2);
    });

    it('read JSON of any content type, and TTLs from 0', async () => {
      await dns.makeZone('types.example.org');
      const rrsets = [{ ...replaceSet('a.types.example.org.', 'TXT', '"v"'), ttl: 0 }];
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', undefined]) {
        const response = await fetch(`${app.url}${zonesPath}/types.example.org.`, {
          method: 'PATCH',
          headers: { 'x-api-key': key, ...(type !== undefined && { 'content-type': type }) },
          body: Buffer.from(JSON.stringify({ rrsets })),
        });
        assert.equal(response.status, 204, String(type));
      }
      assert.equal((await api.getZone('types.example.org')).rrsets.find(({ type }) => type === 'TXT')?.ttl, 0);
    });

    it('get 422 with the reason for what is refused, and plain text for other errors', async () => {
      await dns.makeZone('errors.example.org');
      const www = 'www.errors.example.org.';
      const disabled = { ...replaceSet(www, 'A'), records: [{ content: '192.0.2.1', disabled: true }] };
      for (const [set, reason] of [
        [replaceSet(www, 'A', 'nonsense'), /^RRset www\.errors\.example\.org\. IN A: /],
        [replaceSet('www.other.example.org.', 'A', '192.0.2.1'), /outside the zone/],
        [{ changetype: 'DELETE', name: 'www.other.example.org.', type: 'A' }, /outside the zone/],
        [replaceSet(www, 'NONSENSE', 'x'), /is not a record type/],
        [replaceSet(www, 'A', '192.0.2.1', '192.0.2.1'), /duplicate record/],
        [{ ...replaceSet(www, 'A', '192.0.2.1'), changetype: 'NONSENSE' }, /changetype/],
        [{ changetype: 'DELETE', name: 'errors.example.org.', type: 'NS' }, /no NS record/],
        [{ changetype: 'DELETE', name: 'errors.example.org.', type: 'SOA' }, /no SOA record/],
        [disabled, /disabled/],
        [
          { ...replaceSet(www, 'A', '192.0.2.1'), ttl: 604_801 },
          /: a TTL must be from 0 to 604800 seconds, not 604801\./,
        ],
        [{ name: www }, /rrsets must be/],
      ] as const) {
        const { status, body } = await api.patch('errors.example.org', set);
        assert.equal(status, 422, JSON.stringify(body));
        assert.match(body.error!, reason);
      }
      const twice = await api.patch(
        'errors.example.org',
        replaceSet(www, 'A', '192.0.2.1'),
        replaceSet(www, 'A', '192.0.2.2'),
      );
      assert.equal(twice.status, 422);
      for (const [method, path, status] of [
        ['GET', `${zonesPath}/absent.example.org.`, 404],
        ['PATCH', `${zonesPath}/absent.example.org.`, 404],
        ['GET', '/api/v2', 404],
        ['POST', '/api', 405],
      ] as const) {
        const response = await api.call<unknown>(method, path, method === 'PATCH' ? { rrsets: [] } : undefined);
        assert.equal(response.status, status, `${method} ${path}`);
        assert.match(response.headers.get('content-type')!, /^text\/plain/);
      }
      const unauthenticated = await fetch(`${app.url}${zonesPath}`, { headers: { 'x-api-key': 'nonsense' } });
      assert.equal(unauthenticated.status, 401);
      assert.match(unauthenticated.headers.get('content-type')!, /^text\/plain/);
      const reader = await createKey(app, app.lab.customer.key, { scopes: ['dns:read'] });
      const path = `${zonesPath}/errors.example.org.`;
      const unscoped = await request(app, 'PATCH', path, { key: reader.key, params: { rrsets: [] } });
      assert.equal(unscoped.status, 422);
      assert.match(String(unscoped.body['error']), /scope/);
    });

    it('create zones by the rules of v2, and delete them', async () => {
      const stranger = dnsCalls(app, app.lab.stranger.key);
      await stranger.makeZone('taken.example.com');
      const create = (name: string, more = {}) =>
        api.call<ApiZone>('POST', zonesPath, { name, kind: 'Master', masters: [], ...more });
      assert.equal((await create('sub.taken.example.com.')).status, 422);
      assert.equal((await create('taken.example.com.')).status, 409);
      assert.equal((await create('co.uk.')).status, 422);
      assert.equal((await create('slave.example.com.', { kind: 'Slave' })).status, 422);
      assert.equal(
        (await create('refused.example.com.', { rrsets: [replaceSet('x.', 'A', '192.0.2.1')] })).status,
        422,
      );
      // As octoDNS does for a zone that is missing.
      const made = await create('octo.example.com.', {
        nameservers: [],
        soa_edit_api: 'INCEPTION-INCREMENT',
        serial: 0,
        rrsets: [replaceSet('www.octo.example.com.', 'A', '192.0.2.7')],
      });
      assert.equal(made.status, 201);
      assert.deepEqual(made.body, await api.getZone('octo.example.com.'));
      assert.deepEqual(await dig(app.dns, 'www.octo.example.com', 'A'), ['192.0.2.7']);
      const servers = ['ns1.elsewhere.example.', 'ns2.elsewhere.example.'];
      assert.equal((await create('served.example.com.', { nameservers: servers })).status, 201);
      assert.deepEqual(await api.contentsOf('served.example.com.', 'served.example.com.', 'NS'), servers);
      const path = `${zonesPath}/octo.example.com.`;
      assert.equal((await api.call('PUT', path, { kind: 'Native', account: 'x' })).status, 204);
      assert.deepEqual((await api.call('PUT', `${zonesPath}/octo.example.com/notify`)).body, {
        result: 'Notification queued',
      });
      assert.equal((await api.call('DELETE', path)).status, 204);
      assert.equal((await api.call('GET', path)).status, 404);
    });

    it('repeat a request under an Idempotency-Key without a second version', async () => {
      await dns.makeZone('again.example.org');
      const rrsets = [replaceSet('a.again.example.org.', 'A', '192.0.2.1')];
      const send = () =>
        api.call('PATCH', `${zonesPath}/again.example.org.`, { rrsets }, { 'idempotency-key': 'patch-again' });
      assert.equal((await send()).status, 204);
      const { serial } = await api.getZone('again.example.org');
      await api.patch('again.example.org', replaceSet('a.again.example.org.', 'A'));
      assert.equal((await send()).status, 204);
      assert.deepEqual(await api.contentsOf('again.example.org', 'a.again.example.org.', 'A'), []);
      assert.equal((await api.getZone('again.example.org')).serial, serial + 1);
    });
  });

  describe('with a key for challenges only', () => {
    const ask = <Body>(method: string, path: string, params?: Record<string, unknown>) =>
      request<Body>(app, method, path, { key: acmeKey, ...(params && { params }) });

    it('pass the probes, see challenges, and change nothing else', async () => {
      const id = await dns.makeZone('limited.example.org');
      await dns.add(id, 'www.limited.example.org', 'TXT', 'private');
      const name = '_acme-challenge.www.limited.example.org.';
      for (const path of ['/api', '/api/v1/servers', '/api/v1/servers/localhost', zonesPath])
        assert.equal((await ask('GET', path)).status, 200, path);
      const path = `${zonesPath}/limited.example.org.`;
      assert.equal((await ask('PATCH', path, { rrsets: [replaceSet(name, 'TXT', '"v"')] })).status, 204);
      const { body } = await ask<ApiZone>('GET', path);
      assert.deepEqual(
        body.rrsets.map((set) => set.name),
        [name],
      );
      for (const set of [
        replaceSet('www.limited.example.org.', 'TXT', '"v"'),
        replaceSet(name, 'CNAME', 'elsewhere.example.'),
        { changetype: 'DELETE', name: 'absent.limited.example.org.', type: 'TXT' },
        replaceSet('_validation-persist.limited.example.org.', 'TXT', '"v"'),
      ]) {
        const refused = await ask<{ error: string }>('PATCH', path, { rrsets: [replaceSet(name, 'TXT', '"w"'), set] });
        assert.equal(refused.status, 422, JSON.stringify(set));
        assert.match(refused.body.error, /limited to certain DNS records/);
      }
      assert.deepEqual(await api.contentsOf('limited.example.org', name, 'TXT'), ['"v"']);
      assert.equal((await ask('POST', zonesPath, { name: 'made.example.org' })).status, 422);
      assert.equal((await ask('DELETE', path)).status, 422);
      const refused = await ask<{ error: string }>('POST', '/acme/present', {
        fqdn: 'www.limited.example.org.',
        value: 'v',
      });
      assert.equal(refused.status, 422);
      assert.match(refused.body.error, /limited to certain DNS records/);
    });

    it('see only the zones that it names', async () => {
      await dns.makeZone('seen.example.org');
      await dns.makeZone('unseen.example.org');
      const scopes = ['dns:read', 'dns:write'];
      const limits = [acmeRule(['seen.example.org'])];
      const { key: zoneKey } = await createKey(app, app.lab.customer.key, { scopes, dns: limits });
      const list = await request<ApiZone[]>(app, 'GET', zonesPath, { key: zoneKey });
      assert.deepEqual(
        list.body.map(({ id }) => id),
        ['seen.example.org.'],
      );
      const hidden = `${zonesPath}/unseen.example.org.`;
      assert.equal((await request(app, 'GET', hidden, { key: zoneKey })).status, 404);
      assert.equal((await request(app, 'PATCH', hidden, { key: zoneKey, params: { rrsets: [] } })).status, 404);
      const challenge = { fqdn: '_acme-challenge.unseen.example.org', value: 'v' };
      assert.equal((await request(app, 'POST', '/acme/present', { key: zoneKey, params: challenge })).status, 404);
    });
  });

  describe('at httpreq', () => {
    const send = (path: string, params: Record<string, unknown>, password = acmeKey) => {
      const authorization = `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}`;
      return request(app, 'POST', path, { params, headers: { authorization } });
    };

    it('add and remove single values in the closest zone, at the same time', async () => {
      await dns.makeZone('http.example.org');
      await dns.makeZone('sub.http.example.org');
      const fqdn = '_acme-challenge.sub.http.example.org.';
      const values = Array.from({ length: 6 }, (_, index) => `value-${index}`);
      for (const { status } of await Promise.all(values.map((value) => send('/acme/present', { fqdn, value }))))
        assert.equal(status, 204);
      assert.equal((await send('/acme/present', { fqdn, value: values[0] })).status, 204);
      const texts = () => api.contentsOf('sub.http.example.org', fqdn, 'TXT');
      assert.deepEqual(
        await texts(),
        values.map((value) => `"${value}"`),
      );
      const cleaned = await Promise.all(values.slice(1).map((value) => send('/acme/cleanup', { fqdn, value })));
      assert.deepEqual([...new Set(cleaned.map(({ status }) => status))], [204]);
      assert.equal((await send('/acme/cleanup', { fqdn, value: 'never there' })).status, 204);
      assert.deepEqual(await texts(), ['"value-0"']);
      assert.deepEqual(await api.contentsOf('http.example.org', fqdn, 'TXT'), []);
      assert.equal((await api.getZone('sub.http.example.org')).rrsets.find(({ name }) => name === fqdn)?.ttl, 60);
    });

    it('compute name and value in RAW mode', async () => {
      await dns.makeZone('raw.example.org');
      const challenge = { domain: '*.raw.example.org', token: 't', keyAuth: 't.thumbprint' };
      assert.equal((await send('/acme/present', challenge)).status, 204);
      const fqdn = '_acme-challenge.raw.example.org.';
      const digest = '"kZpPaU8v0lVY6egO09MvKhLSo0EExoWOkuaRCkojLJw"';
      assert.deepEqual(await api.contentsOf('raw.example.org', fqdn, 'TXT'), [digest]);
      assert.equal((await send('/acme/cleanup', challenge)).status, 204);
      assert.deepEqual(await api.contentsOf('raw.example.org', fqdn, 'TXT'), []);
    });

    it('are refused with a reason', async () => {
      assert.equal((await send('/acme/present', { fqdn: 'a.example.org' })).status, 422);
      assert.equal((await send('/acme/present', { fqdn: 'nowhere.invalid', value: 'v' })).status, 404);
      // As elsewhere: with such a name, a zone file could be exported and not imported again.
      await dns.makeZone('refused.example.org');
      for (const name of ['a!b.refused.example.org', String.raw`a\.b.refused.example.org`])
        for (const params of [
          { fqdn: name, value: 'v' },
          { domain: name, keyAuth: 't.thumbprint' },
        ])
          assert.equal((await send('/acme/present', params)).status, 422, name);
      assert.equal((await send('/acme/present', { fqdn: 'a.example.org', value: 'v' }, 'hy_nonsense')).status, 401);
    });
  });

  const programs = { ...needs('pebble', 'lego', 'lexicon', 'openssl', 'curl', 'dig'), concurrency: true };
  describe('that really run', programs, () => {
    let pebble: Pebble;
    before(async () => void (pebble = owned.use(await startPebble(app.dns))));

    async function issue(provider: string, domain: string, env: Record<string, string>): Promise<void> {
      const id = await dns.makeZone(domain);
      const domains = [domain, `*.${domain}`];
      const { names } = await issueWithLego(pebble, { provider, domains, env });
      assert.deepEqual(names.toSorted(), domains.toSorted());
      assert.ok(!(await dns.records(id)).some(({ type }) => type === 'TXT'), 'a challenge is left');
    }

    it('get a certificate with lego pdns', () =>
      issue('pdns', 'lego-pdns.example.com', {
        PDNS_API_URL: app.url,
        PDNS_API_KEY: acmeKey,
        PDNS_POLLING_INTERVAL: '1',
      }));

    it('get a certificate with lego httpreq', () =>
      issue('httpreq', 'lego-httpreq.example.com', {
        HTTPREQ_ENDPOINT: `${app.url}/acme`,
        HTTPREQ_USERNAME: 'anyone',
        HTTPREQ_PASSWORD: acmeKey,
        HTTPREQ_POLLING_INTERVAL: '1',
      }));

    it('get a certificate with the requests of acme.sh', async () => {
      const access = { PDNS_Url: app.url, PDNS_Token: acmeKey };
      const settings = { EXEC_PATH: acmeShHook, EXEC_POLLING_INTERVAL: '1', EXEC_SEQUENCE_INTERVAL: '1' };
      await issue('exec', 'acme-sh.example.com', { ...settings, ...access });
      // acme.sh has both values there at once, lego's exec one after the other.
      const name = '_acme-challenge.acme-sh.example.com.';
      const hook = (...args: string[]) => run(acmeShHook, [...args], { env: { ...process.env, ...access } });
      for (const value of ['one', 'two']) await hook('present', name, value);
      assert.deepEqual(await api.contentsOf('acme-sh.example.com', name, 'TXT'), ['"one"', '"two"']);
      await hook('cleanup', name, 'one');
      assert.deepEqual(await api.contentsOf('acme-sh.example.com', name, 'TXT'), ['"two"']);
    });

    it('create, list and delete records with lexicon', async () => {
      await dns.makeZone('hostyard-lexicon.com');
      const lexicon = async (...args: string[]): Promise<string> => {
        const access = ['--auth-token', acmeKey, '--pdns-server', app.url];
        return (await run(findBinary('lexicon')!, ['powerdns', ...args, ...access])).stdout;
      };
      const record = ['hostyard-lexicon.com', 'TXT', '--name', '_acme-challenge', '--content', 'first'];
      await lexicon('create', ...record);
      assert.deepEqual(await dig(app.dns, '_acme-challenge.hostyard-lexicon.com', 'TXT'), ['"first"']);
      assert.match(await lexicon('list', 'hostyard-lexicon.com', 'TXT'), /first/);
      await lexicon('delete', ...record);
      assert.deepEqual(await dig(app.dns, '_acme-challenge.hostyard-lexicon.com', 'TXT'), ['NXDOMAIN']);
      const other = ['hostyard-lexicon.com', 'A', '--name', 'www', '--content', '192.0.2.1'];
      await assert.rejects(lexicon('create', ...other), /422/);
    });
  });
});
