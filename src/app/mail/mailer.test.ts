// The relays of a process: opened once, although messages are sent at the same time.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { secretBox } from '#lib/secrets.ts';
import { mailSettingsEntry } from '#store/mail/settings-entry.ts';
import { metaPut } from '#store/meta.ts';
import { startSmtpServer } from '#test/support/smtp-server.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { openMailer, type MailOutcome } from './mailer.ts';

test('the first messages are all accepted, although their relays are opened at the same time', async () => {
  await using owned = new AsyncDisposableStack();
  const server = owned.use(await startSmtpServer());
  const store = await openOwnedStore(owned, 'mailer');
  const secrets = secretBox(randomBytes(32));
  const settings = { relays: [{ host: '127.0.0.1', port: server.port, security: 'none' }] };
  await metaPut(store.queries, mailSettingsEntry, secrets.seal(JSON.stringify(settings), mailSettingsEntry));
  const mailer = openMailer({ store, secrets });
  owned.defer(() => mailer.close());
  const from = { name: 'Provider', address: 'noreply@provider.example' };
  const content = { from, subject: 'Subject', text: 'text', html: '<p>text</p>', headers: {}, attachments: [] };
  const sending: Promise<MailOutcome>[] = [];
  for (let number = 1; number <= 50; number++) {
    sending.push(mailer.send({ ...content, to: 'ada@example.net', messageId: `<${number}@provider.example>` }));
    // The next one starts a little later, while this one reads the settings or has just read them.
    await Promise.resolve();
  }
  assert.deepEqual(new Set((await Promise.all(sending)).map(({ how }) => how)), new Set(['accepted']));
});
