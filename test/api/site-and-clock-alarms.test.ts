// A server that is restarted with a broken site file, and one whose clock jumps by more than a year. Both continue, say so, and
// do nothing that cannot be undone.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Site } from '#contract/site/site.ts';
import { createKeyText } from '#lib/key-text.ts';
import type { InvoiceListItem } from '#sdk/v2.ts';
import { createAdjustableClock, type AdjustableClock } from '#test/support/adjustable-clock.ts';
import { needs } from '#test/support/needs.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { startSite, type SiteServer } from '#test/support/server.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until, untilDefined } from '#test/support/until.ts';

const daySeconds = 86_400;
const operator = createKeyText();
const bmc = { address: '127.0.0.1', port: 9, username: 'none', password: 'none' };
const { site: oneServer, env, key } = singleServerSite(bmc);
const site: Site = {
  ...oneServer,
  operators: [{ name: 'owner', role: 'owner', id: operator.printableId, hash: operator.secretHash.toString('hex') }],
  nameserver: { listen: '127.0.0.1:0', names: ['ns1.example.net'] },
  plans: [{ name: 'Server', price: '89.00', cycle: 'monthly' }],
  billing: { numbers: 'INV-{0000}', terms: 14, suspendAfter: 7 },
  services: oneServer.services!.map((service) => ({ ...service, plan: 'Server' })),
};

describe('a running server', needs('faketime'), () => {
  const owned = suiteResources();
  let clock: AdjustableClock;
  let server: SiteServer;
  before(async () => {
    clock = owned.use(await createAdjustableClock());
    server = owned.use(await startSite(site, { ...clock.env, ...env }));
  });
  const invoices = () => requestResult<InvoiceListItem[]>(server, 'GET', '/v2/account/invoice', { key });
  const asOperator = <Result>(method: string, path: string, params?: Record<string, unknown>) =>
    request<Envelope<Result>>(server, method, `/operator/${path}`, { key: operator.text, ...(params && { params }) });
  async function gauge(name: string): Promise<number> {
    const { body } = await request<string>(server, 'GET', '/metrics', { key: operator.text });
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1]);
  }
  async function restart(): Promise<void> {
    await server.kill('SIGKILL');
    await server.start();
  }

  test('starts with the state in its database if the site file is broken, with an alarm until it is fixed', async () => {
    const file = server.env['HOSTYARD_SITE']!;
    const valid = readFileSync(file, 'utf8');
    writeFileSync(file, valid.replace('"services"', '"servces"'));
    await restart();
    assert.equal((await request(server, 'GET', '/v2/account', { key })).status, 200);
    const { body } = await asOperator<{ sitefile: string }>('GET', 'installation');
    assert.match(body.result.sitefile, /site\.yaml:1:[0-9]+: servces is not a known field here/);
    assert.equal(await gauge('hostyard_site_file_rejected'), 1);
    assert.match(server.logs(), /the site file cannot be applied/);
    writeFileSync(file, valid);
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/hostyard.js', 'apply', file], server);
    assert.match(stdout, /No changes/);
    assert.equal(await gauge('hostyard_site_file_rejected'), 0);
  });

  test('whose clock jumps by 400 days issues no invoice and suspends nobody until an operator confirms', async () => {
    await until(async () => (await invoices()).length === 1, { saw: invoices });
    await clock.set(400 * daySeconds);
    await until(async () => (await gauge('hostyard_billing_paused')) === 1, { saw: server.logs });
    const run = await asOperator<ErrorResult>('POST', 'billing/run');
    assert.deepEqual([run.status, run.body.result.code], [409, 'state_conflict']);

    await clock.set(0);
    await until(async () => (await gauge('hostyard_billing_paused')) === 0, { saw: server.logs });

    // While no server runs, the database has the only record of the time. All reconcilers are due at once after this start.
    await server.kill('SIGKILL');
    await clock.set(400 * daySeconds);
    await server.start();
    const ranAt = () => gauge('hostyard_reconciler_last_success_seconds\\{name="billing"\\}');
    await until(async () => (await ranAt()) > Date.now() / 1000 + 300 * daySeconds, { saw: ranAt });
    assert.equal((await invoices()).length, 1);
    assert.match(server.logs(), /billing is paused until an operator confirms the date/);
    const { time, billing, lasttime } = (await asOperator<Record<string, string>>('GET', 'installation')).body.result;
    assert.deepEqual([billing, lasttime!.slice(0, 7)], ['paused', new Date().toISOString().slice(0, 7)]);

    const today = new Date().toISOString().slice(0, 10);
    const refused = await asOperator<ErrorResult>('POST', 'billing/resume', { date: today });
    assert.deepEqual([refused.status, refused.body.result.code], [409, 'state_conflict']);
    assert.ok(refused.body.result.message.includes(time!.slice(0, 10)));
    assert.equal((await asOperator('POST', 'billing/resume', { date: time!.slice(0, 10) })).status, 200);
    assert.equal(await gauge('hostyard_billing_paused'), 0);
    assert.equal((await asOperator('POST', 'billing/run')).status, 200);
    const later = await untilDefined(async () => {
      const all = await invoices();
      return all.length > 1 ? all : undefined;
    });
    assert.ok(later.at(-1)!.duedate > today);
  });
});
