// Reports about messages that came back: only those to the return path of a message count, and some of them make the
// address undeliverable.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { recordBounce } from '#app/mail/bounces.ts';
import { returnPath } from '#app/mail/return-path.ts';
import { mailWorker, queueMail } from '#app/mail/sending.ts';
import { applySite } from '#app/site/apply.ts';
import type { AccountId } from '#store/account-id.ts';
import { mailFind } from '#store/mail/mails.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { operatorResult } from '#test/support/operators.ts';
import { requestResult } from '#test/support/request.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const account = 1 as AccountId;
const bounceAddress = 'bounces@provider.example';

function report(to: string, { status = '5.1.1', action = 'failed' } = {}): string {
  return `From: MAILER-DAEMON@mx.example.org
To: ${to}
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="edge"

--edge
Content-Type: text/plain

This is the mail system.

--edge
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; somebody@example.org
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 ${status} No such user <b>here</b>

--edge--
`;
}

describeOnEngines('bounced messages', { postgres: 'in long runs' }, ({ newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let relay: SmtpServer;
  before(async () => {
    relay = owned.use(await startSmtpServer());
    app = owned.use(await openTestApp(await newDatabase()));
    const relays = [{ host: '127.0.0.1', port: relay.port, security: 'none' as const }];
    await applySite(app.parts, { ...app.site, mail: { from: 'noreply@provider.example', relays, bounceAddress } });
    await app.parts.queue.start([mailWorker(app.parts)]);
  });

  /** Sends a message and returns its number. */
  async function send(address: string): Promise<number> {
    const mail = {
      account,
      contact: null,
      address,
      language: '',
      kind: 'test',
      values: { recipient: address },
    } as const;
    const id = await app.parts.store.transaction((queries) => queueMail(app.parts, queries, mail));
    await until(async () => (await mailFind(app.parts.store.queries, id))!.status !== 'Queued');
    return id;
  }
  const statusOf = async (id: number) => (await mailFind(app.parts.store.queries, id))!.status;
  const pathOf = (id: number) => returnPath(app.parts, bounceAddress, id);

  it('are marked with what the mail server said, for the customer and for staff, once', async () => {
    const id = await send('once@example.org');
    assert.match(relay.accepted.at(-1)!.from, new RegExp(`^bounces\\+${id}\\.[0-9a-f]{20}@provider\\.example$`));
    const source = report(pathOf(id));
    assert.equal(await recordBounce(app.parts, source), 'recorded');
    assert.equal(await recordBounce(app.parts, source), 'already recorded');
    const diagnostic = '550 5.1.1 No such user <b>here</b>';
    const params = { id: String(id) };
    const [own] = await requestResult<Record<string, string>[]>(app, 'GET', '/v2/account/mail', {
      key: app.lab.customer.key,
      params,
    });
    assert.deepEqual([own!['status'], own!['diagnostic']], ['Bounced', diagnostic]);
    const staffs = await operatorResult<Record<string, string>>(app, 'GET', `mail/${id}`);
    assert.deepEqual([staffs['status'], staffs['error']], ['Bounced', diagnostic]);
  });

  it('are unchanged by forged reports, and by reports of delays and successes', async () => {
    const id = await send('forged@example.org');
    const other = pathOf(id + 1).replace(`+${id + 1}.`, `+${id}.`);
    for (const to of [
      bounceAddress,
      `bounces+${id}.${'0'.repeat(20)}@provider.example`,
      other,
      'noreply@provider.example',
    ])
      assert.equal(await recordBounce(app.parts, report(to)), 'not ours', to);
    for (const action of ['delayed', 'delivered', 'relayed'])
      assert.equal(await recordBounce(app.parts, report(pathOf(id), { action })), 'not a failure');
    assert.equal(await recordBounce(app.parts, `To: ${pathOf(id)}\n\nI am on holiday.`), 'not a failure');
    assert.equal(await recordBounce(app.parts, Buffer.from([0, 255, 13, 10])), 'not ours');
    assert.equal(await statusOf(id), 'Sent');
  });

  it('count by the address that the mail server names, in any case', async () => {
    const id = await send('case@example.org');
    assert.equal(
      await recordBounce(app.parts, report('undisclosed@example.org'), pathOf(id).toUpperCase()),
      'recorded',
    );
  });

  it('make the address undeliverable after three hard ones, until staff clear it', async () => {
    const address = 'gone@example.org';
    const bounce = async (status: string) => recordBounce(app.parts, report(pathOf(await send(address)), { status }));
    assert.deepEqual(
      [await bounce('5.1.1'), await bounce('4.4.1'), await bounce('5.1.1'), await bounce('5.1.1')],
      ['recorded', 'recorded', 'recorded', 'undeliverable'],
    );
    const before = relay.accepted.length;
    assert.equal(await statusOf(await send(address)), 'Failed');
    assert.equal(relay.accepted.length, before);
    const [listed] = await operatorResult<{ address: string; count: string }[]>(app, 'GET', 'mail/undeliverable');
    assert.deepEqual([listed!.address, listed!.count], [address, '3']);
    const { key } = app.lab.customer;
    const settings = await requestResult<{ undeliverable: { address: string }[] }>(
      app,
      'GET',
      '/v2/account/mail/settings',
      {
        key,
      },
    );
    assert.deepEqual(
      settings.undeliverable.map((entry) => entry.address),
      [address],
    );
    await operatorResult(app, 'DELETE', 'mail/undeliverable', { account: '1', address });
    assert.equal(await statusOf(await send(address)), 'Sent');
  });

  it('add up within 30 days', async () => {
    const address = 'seldom@example.org';
    for (let month = 0; month < 4; month++) {
      assert.equal(await recordBounce(app.parts, report(pathOf(await send(address)))), 'recorded');
      app.pass(31 * 86_400_000);
    }
  });
});
