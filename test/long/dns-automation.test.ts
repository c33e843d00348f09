// Slower variants of test/peers/dns-automation.test.ts.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { acmeRule } from '#contract/shapes/dns-limits.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { dnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import { issueWithLego, startPebble, type Pebble } from '#test/support/pebble.ts';
import { createKey } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('lego with httpreq', needs('pebble', 'lego', 'openssl', 'curl'), () => {
  const owned = suiteResources();
  let app: TestApp;
  let dns: DnsCalls;
  let pebble: Pebble;
  let env: Record<string, string>;

  before(async () => {
    app = owned.use(await openTestApp({ answersDns: true }));
    dns = dnsCalls(app, app.lab.customer.key);
    pebble = owned.use(await startPebble(app.dns));
    const { key } = await createKey(app, app.lab.customer.key, { scopes: ['dns:write'], dns: [acmeRule()] });
    env = { HTTPREQ_ENDPOINT: `${app.url}/acme`, HTTPREQ_PASSWORD: key, HTTPREQ_POLLING_INTERVAL: '1' };
  });

  async function issue(domain: string, client: string, more: Record<string, string> = {}): Promise<void> {
    const domains = [domain, `*.${domain}`];
    const { names } = await issueWithLego(pebble, {
      provider: 'httpreq',
      domains,
      client,
      env: { ...env, HTTPREQ_USERNAME: client, ...more },
    });
    assert.deepEqual(names.toSorted(), domains.toSorted());
  }

  it('gets a certificate in RAW mode', async () => {
    await dns.makeZone('raw.example.com');
    await issue('raw.example.com', 'raw', { HTTPREQ_MODE: 'RAW' });
  });

  it('gets certificates for one name on several machines at once', async () => {
    const zone = await dns.makeZone('shared.example.com');
    await Promise.all(['first', 'second', 'third'].map((client) => issue('shared.example.com', client)));
    assert.ok(!(await dns.records(zone)).some(({ type }) => type === 'TXT'), 'a challenge is left');
  });
});
