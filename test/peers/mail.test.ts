// Email through a real relay: postfix takes it with STARTTLS and a password, dovecot delivers it, and it is read back
// over IMAP. DKIM is verified by dkimpy.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Site } from '#contract/site/site.ts';
import { applySite } from '#app/site/apply.ts';
import { recordBounce } from '#app/mail/bounces.ts';
import { queueMail } from '#app/mail/sending.ts';
import { appendEvent } from '#events/append.ts';
import type { AccountId } from '#store/account-id.ts';
import { mailFind, mailList } from '#store/mail/mails.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import {
  mailDomain,
  needsMailServer,
  remoteDomain,
  smallMailbox,
  startMailServer,
  type MailServer,
} from '#test/support/mail-server.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { untilDefined } from '#test/support/until.ts';

const account = 1 as AccountId;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = {
  domain: 'provider.example',
  selector: 's1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

describe('email through postfix and dovecot', needsMailServer(), () => {
  const owned = suiteResources();
  let server: MailServer;
  let remote: SmtpServer;
  let app: TestApp;
  before(async () => {
    remote = owned.use(await startSmtpServer());
    server = owned.use(await startMailServer(remote.port));
    app = owned.use(await openTestApp({ worksOffJobs: true }));
    const mail: Site['mail'] = {
      from: 'noreply@provider.example',
      bounceAddress: `bounces@${mailDomain}`,
      url: 'https://panel.provider.example',
      relays: [server.relay],
      dkim,
    };
    const [first, ...others] = app.site.customers!;
    const customers = [{ ...first!, email: `ada@${mailDomain}` }, ...others];
    await applySite(app.parts, { ...app.site, customers, mail });
  });

  const ended = (id: number) =>
    untilDefined(async () => {
      const mail = await mailFind(app.parts.store.queries, id);
      return mail?.status === 'Queued' ? undefined : mail!;
    });
  const sendTest = async (address: string): Promise<number> =>
    app.parts.store.transaction((queries) =>
      queueMail(app.parts, queries, {
        account,
        contact: null,
        address,
        language: 'de',
        kind: 'test',
        values: { recipient: address },
      }),
    );

  it('delivers an invoice with its PDF, as text and HTML, signed', async () => {
    const [invoice] = await app.parts.store.queries
      .selectFrom('invoices')
      .selectAll()
      .where('account_id', '=', account)
      .limit(1)
      .execute();
    const data = {
      invoiceid: String(invoice!.id),
      invoicenum: invoice!.number,
      total: '119.00',
      duedate: '2026-12-15',
    };
    await app.parts.store.transaction((queries) =>
      appendEvent(app.parts, queries, { account, type: 'invoice.issued', data }),
    );
    const [received] = await server.received(`ada@${mailDomain}`, 1);
    const { email, source } = received!;
    assert.equal(email.subject, `Invoice ${invoice!.number}`);
    assert.equal(email.from?.address, 'noreply@provider.example');
    assert.match(email.text!, /Please pay €119\.00 by December 15, 2026\./);
    assert.match(email.html!, /https:\/\/panel\.provider\.example\/panel\/invoices/);
    assert.doesNotMatch(email.html!, /<img[^>]+src="http/);
    const [pdf] = email.attachments;
    assert.equal(pdf!.filename, `${invoice!.number}.pdf`);
    assert.equal(
      Buffer.from(pdf!.content as ArrayBuffer)
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
    // Invoices cannot be unsubscribed from.
    assert.equal(
      email.headers.find(({ key }) => key === 'list-unsubscribe'),
      undefined,
    );
    assert.equal(await verifiedByDkimpy(source), 'True');
    assert.equal(await verifiedByDkimpy(source.replace('Invoice', 'Ransom')), 'False');
    const [row] = await mailList(app.parts.store.queries, { account, limit: 1 });
    assert.deepEqual(
      [row!.status, row!.attempts, row!.relay, row!.subject],
      ['Sent', 1, `127.0.0.1:${server.relay.port}`, `Invoice ${invoice!.number}`],
    );
  });

  it('delivers names in any script, and addresses too if the relay can', async () => {
    const id = await sendTest(`ada@${mailDomain}`);
    assert.equal((await ended(id)).status, 'Sent');
    const [, german] = await server.received(`ada@${mailDomain}`, 2);
    assert.match(german!.email.text!, /Der E-Mail-Versand funktioniert/);
    assert.equal((await ended(await sendTest('用户@例え.jp'))).status, 'Sent');
  });

  it('records that a mailbox is full, in the words of the relay', async () => {
    assert.equal((await ended(await sendTest(smallMailbox))).status, 'Sent');
    await server.received(smallMailbox, 1);
    const refused = await ended(await sendTest(smallMailbox));
    assert.deepEqual([refused.status, refused.attempts], ['Failed', 1]);
    assert.match(refused.error, /552 5\.2\.2 .*Mailbox is full/);
  });

  it('notices a message that comes back after the relay has accepted it', async () => {
    remote.next = ['rejects'];
    const id = await sendTest(`nobody@${remoteDomain}`);
    assert.equal((await ended(id)).status, 'Sent');
    const [{ source, email } = assert.fail('no report')] = await server.received(`bounces@${mailDomain}`, 1);
    assert.match(email.subject!, /Undelivered/);
    assert.equal(
      await recordBounce(app.parts, source.replace(/(?<=\+\d+\.)[0-9a-f]{20}/g, '0'.repeat(20))),
      'not ours',
    );
    assert.equal(await recordBounce(app.parts, source), 'recorded');
    const bounced = await mailFind(app.parts.store.queries, id);
    assert.equal(bounced!.status, 'Bounced');
    assert.match(bounced!.error, /550 5\.1\.1 No such user/);
    const [own] = (await server.received(`ada@${mailDomain}`, 1)).toReversed();
    assert.match(own!.source, new RegExp(`^Return-Path: <bounces\\+\\d+\\.[0-9a-f]{20}@${mailDomain}>`, 'm'));
  });

  it('is checked by the doctor, who names a relay with the wrong password', async () => {
    assert.deepEqual(
      (await app.parts.mailer.check()).map(({ problem }) => problem),
      [undefined],
    );
    const relays = [{ ...server.relay, password: 'wrong' }];
    await applySite(app.parts, { ...app.site, mail: { from: 'noreply@provider.example', relays } });
    const [check] = await app.parts.mailer.check();
    assert.match(check!.problem!, /535/);
  });
});

/** dkimpy gets the key as from a name server. It is installed for Debian's own Python. */
async function verifiedByDkimpy(source: string): Promise<string> {
  const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
    type: 'spki',
    format: 'der',
  });
  const script = `
import dkim, sys
record = b"v=DKIM1; k=rsa; p=${key.toString('base64')}"
names = [b"s1._domainkey.provider.example."]
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=lambda name, timeout=5: record if name in names else None))`;
  return new Promise((resolve, reject) => {
    const child = execFile('/usr/bin/python3', ['-c', script], (error, stdout) =>
      error === null ? resolve(stdout.trim()) : reject(error),
    );
    child.stdin!.end(source);
  });
}
