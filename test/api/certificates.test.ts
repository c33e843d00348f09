// Handover certificates as customers get them, over the API and on the command line, and servers in quarantine as staff see
// them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { ReclaimStep } from '#contract/states/servers.ts';
import { handOverCertificates, issueCertificate } from '#app/servers/certificates.ts';
import { reclaimFindings } from '#store/devices/reclaims.ts';
import type { AccountId } from '#store/account-id.ts';
import { verifyCertificate, type Certificate, type CertificateKey } from '#sdk/v2.ts';
import type { Fleet, OperatorDevice, Reclaim } from '#sdk/operator.ts';
import type { TestApp } from '#test/support/app.ts';
import { runCli } from '#test/support/cli.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { asOperator, operatorResult, signInOperator } from '#test/support/operators.ts';
import { findingsWith, quarantineServer } from '#test/support/quarantine.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';

const path = '/v2/device/certificate';

describeOnEngines('a handover certificate', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let key: string;
  let service: string;
  let account_id: AccountId;
  before(async () => {
    app = await openApp({ trustedProxies: ['127.0.0.1'] });
    ({ key } = app.lab.customer);
    ({ service } = app.lab.dedicated);
    account_id = Number(app.lab.customer.account) as AccountId;
    const { store } = app.parts;
    await store.transaction((queries) =>
      handOverCertificates(app.parts, queries, [
        { server: app.lab.dedicated.server, service: Number(service), account: account_id },
      ]),
    );
  });
  const list = (of = service) => requestResult<Certificate[]>(app, 'GET', `${path}/${of}`, { key });
  const verifyingKey = (withKey = key) => requestResult<CertificateKey>(app, 'GET', path, { key: withKey });
  async function issue(step: ReclaimStep): Promise<void> {
    const { store, clock } = app.parts;
    const started_at = clock.now();
    const findings = reclaimFindings.encode(findingsWith(started_at, step));
    const { server } = app.lab.dedicated;
    const ended = { started_at, ended_at: started_at, step: null, reason: '', workflow_id: '' };
    const reclaim = { id: '', server, account_id, service_id: Number(service), findings, ...ended };
    await store.transaction((queries) => issueCertificate(app.parts, queries, reclaim));
  }

  test('of a server without a former customer says so, and is verified with the key of the provider', async () => {
    const [handover, ...others] = await list();
    assert.deepEqual(others, []);
    assert.equal(handover!.kind, 'handover');
    assert.equal(handover!.document.erasure, 'none');
    assert.equal(handover!.document.provider, 'Hostyard lab');
    assert.deepEqual(await verifyCertificate(handover!.signed, await verifyingKey()), handover!.document);
  });

  test('is verified with the same key for every customer', async () => {
    assert.deepEqual(await verifyingKey(app.lab.stranger.key), await verifyingKey());
  });

  test("can be read with the permission to read devices, and the key as well, but not another account's", async () => {
    const keyWith = async (scopes: string[]) => {
      const params = { name: 'test', scopes };
      return (await requestResult<{ key: string }>(app, 'POST', '/v2/account/key', { key, params })).key;
    };
    const [reader, other] = [await keyWith(['device:read']), await keyWith(['dns:read'])];
    for (const target of [path, `${path}/${service}`, `${path}/${service}/pdf`]) {
      assert.equal((await request(app, 'GET', target, { key: reader })).status, 200);
      assert.equal((await request(app, 'GET', target, { key: other })).status, 403);
    }
    for (const target of [`${path}/${service}`, `${path}/${service}/pdf`]) {
      const foreign = await request<Envelope>(app, 'GET', target, { key: app.lab.stranger.key });
      const absent = await request<Envelope>(app, 'GET', target.replace(service, '987654'), {
        key: app.lab.stranger.key,
      });
      assert.deepEqual([foreign.status, foreign.body.result], [404, absent.body.result]);
    }
  });

  test('does not exist for a virtual machine', async () => {
    const { status } = await request(app, 'GET', `${path}/${app.lab.vps.service}`, { key });
    assert.equal(status, 404);
  });

  test('of the end of a service can be read after its termination', async () => {
    const pdfStatus = async (): Promise<number> =>
      (await request(app, 'GET', `${path}/${service}/pdf`, { key, params: { kind: 'erasure' } })).status;
    assert.equal(await pdfStatus(), 404);
    await issue('records');
    const { queries } = app.parts.store;
    await queries
      .updateTable('services')
      .set({ status: 'Terminated', server: null })
      .where('id', '=', Number(service))
      .execute();
    const erasure = (await list()).find(({ kind }) => kind === 'erasure')!;
    const { document } = erasure;
    assert.deepEqual(await verifyCertificate(erasure.signed, await verifyingKey()), document);
    assert.equal(document.erasure, 'erased');
    assert.deepEqual(document.disks, [
      { serial: 'WD-WCC4N0123456', bytes: '960197124096', method: 'discard', seconds: '12' },
    ]);
    assert.deepEqual(
      document.signedoff.map(({ step, by, reason }) => [step, by, reason]),
      [['records', 'anna', 'Replaced by hand']],
    );
    assert.equal(await pdfStatus(), 200);
  });

  test('is a file with a name', async () => {
    const response = await fetch(`${app.url}${path}/${service}/pdf`, { headers: { 'x-api-key': key } });
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.equal(response.headers.get('content-disposition'), `inline; filename="handover-${service}.pdf"`);
    assert.match(Buffer.from(await response.arrayBuffer()).toString('latin1'), /^%PDF-/);
  });

  test('is verified on the command line without a server or an API key', async () => {
    await using folder = await temporaryFolder('certificate');
    const file = (name: string): string => join(folder.path, name);
    const server = { url: app.url, key };
    const run = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await runCli(server, ['certificate', ...args]);
      assert.equal(code, 0, err);
      return out;
    };
    writeFileSync(file('key.json'), await run('key'));
    writeFileSync(file('certificate.jws'), await run('get', service, '--signed', '--kind', 'erasure'));
    const shown = await run('get', service, '--kind', 'erasure');
    for (const text of ['WD-WCC4N0123456', '960 GB', 'All blocks discarded', 'anna', 'Replaced by hand'])
      assert.ok(shown.includes(text), shown);
    await run('pdf', service, '--file', file('certificate.pdf'));
    assert.match(readFileSync(file('certificate.pdf'), 'latin1'), /^%PDF-/);

    const verify = (name: string, keyFile = 'key.json') =>
      runCli(undefined, ['certificate', 'verify', file(name), '--key', file(keyFile)]);
    const valid = await verify('certificate.jws');
    assert.equal(valid.code, 0, valid.err);
    assert.match(valid.out, /^Valid: .*\n[^]*WD-WCC4N0123456/);
    writeFileSync(file('changed.jws'), readFileSync(file('certificate.jws'), 'utf8').replace('.', 'A.'));
    const changed = await verify('changed.jws');
    assert.equal(changed.code, 1);
    assert.match(changed.err, /^Not valid: /);
    assert.equal(changed.out, '');
    writeFileSync(file('broken.json'), '{}');
    assert.equal((await verify('certificate.jws', 'broken.json')).code, 1);
  });
});

describeOnEngines('a server in quarantine', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));
  const quarantine = (step?: ReclaimStep, reason?: string) =>
    quarantineServer(app.parts, app.parts.store.queries, step, reason);
  const fleet = () => operatorResult<Fleet>(app, 'GET', 'fleet');
  const reclaimOf = async (server: string) =>
    (await operatorResult<Reclaim[]>(app, 'GET', 'reclaim')).find((entry) => entry.server === server);
  const stateOf = async (server: string) =>
    (await operatorResult<OperatorDevice[]>(app, 'GET', 'device')).find(({ device }) => device === server)?.state;
  const codeOf = async (...call: Parameters<typeof asOperator>) => {
    const { status, body } = await asOperator<ErrorResult>(...call);
    return [status, body.result.code];
  };

  test('is in the fleet view, the list of devices and the metrics, with the step and the reason', async () => {
    const server = await quarantine('users', 'The BMC still has 1 users.');
    const found = (await fleet()).quarantined.find((entry) => entry.server === server);
    assert.deepEqual([found?.step, found?.reason], ['users', 'The BMC still has 1 users.']);
    assert.equal(await stateOf(server), 'quarantined');
    const quarantined = (await fleet()).quarantined.length;
    const { body } = await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key });
    assert.ok(body.includes(`hostyard_servers{state="quarantined"} ${quarantined}\n`), body);
    assert.ok(body.includes('hostyard_servers{state="reclaiming"} 0\n'), body);
  });

  test('continues when an engineer retries the step', async () => {
    const server = await quarantine();
    await operatorResult(app, 'POST', 'reclaim/retry', { server: server.toUpperCase() });
    const reclaim = await reclaimOf(server);
    assert.deepEqual([reclaim!.state, reclaim!.reason], ['reclaiming', '']);
    assert.equal(await stateOf(server), 'reclaiming');
    assert.ok((await fleet()).quarantined.every((entry) => entry.server !== server));
    assert.deepEqual(await codeOf(app, 'POST', 'reclaim/retry', { server }), [409, 'state_conflict']);
  });

  test('continues after the step when an engineer signs it off, with a reason in the audit log', async () => {
    const server = await quarantine('erase');
    const reason = 'The disks were shredded';
    const signOff = (params: Record<string, string>, key?: string) =>
      codeOf(app, 'POST', 'reclaim/signoff', { server, step: 'erase', reason, ...params }, key);
    assert.deepEqual(await signOff({ reason: '' }), [400, 'invalid_parameter']);
    assert.deepEqual(await signOff({ step: 'users' }), [409, 'state_conflict']);
    const { key } = await signInOperator(app, 'support');
    assert.deepEqual(await signOff({}, key), [403, 'role_missing']);
    assert.equal(await stateOf(server), 'quarantined');

    await operatorResult(app, 'POST', 'reclaim/signoff', { server, step: 'erase', reason });
    const reclaim = await reclaimOf(server);
    assert.equal(reclaim!.steps.find(({ name }) => name === 'erase')?.state, 'signedoff');
    assert.equal(reclaim!.state, 'reclaiming');
    const log = await operatorResult<{ operation: string; target: string }[]>(app, 'GET', 'audit');
    const entry = log.find(({ operation }) => operation.endsWith('reclaimSignOff'));
    assert.ok(JSON.stringify(entry).includes(reason), JSON.stringify(log.slice(0, 3)));
  });

  test('that does not exist, or is not in quarantine, is not found', async () => {
    for (const server of ['dc08r01ds01', app.lab.dedicated.server])
      assert.deepEqual(await codeOf(app, 'POST', 'reclaim/retry', { server }), [404, 'not_found']);
  });
});
