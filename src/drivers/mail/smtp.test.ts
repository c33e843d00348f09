import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startSmtpServer } from '#test/support/smtp-server.ts';
import { until } from '#test/support/until.ts';
import { openSmtpRelay } from './smtp.ts';

const message = {
  messageId: '<1@provider.example>',
  from: { name: 'Provider', address: 'noreply@provider.example' },
  to: 'ada@example.net',
  subject: 'Subject',
  text: 'text',
  html: '<p>text</p>',
  headers: {},
  attachments: [],
};

describe('a message', () => {
  it('goes to nobody but its recipient, whatever characters the address has', async () => {
    await using server = await startSmtpServer();
    const relay = openSmtpRelay({ host: '127.0.0.1', port: server.port, security: 'none' }, undefined);
    const addresses = ['root,somebody@example.net', 'root;somebody@example.net', 'group:somebody@example.net'];
    try {
      for (const to of addresses)
        for (const returnPath of ['bounces@provider.example', undefined])
          await relay.send({ ...message, to, returnPath });
    } finally {
      relay.close();
    }
    assert.deepEqual(
      server.accepted.map(({ to }) => to),
      addresses.flatMap((to) => [quoted(to), quoted(to)]),
    );
  });

  it('that the relay already has is not given up when the settings change', async () => {
    await using server = await startSmtpServer();
    const relay = openSmtpRelay({ host: '127.0.0.1', port: server.port, security: 'none' }, undefined);
    server.next.push('hangs');
    const sent = relay.send(message);
    await until(() => server.hanging.length === 1);
    relay.close();
    server.hanging[0]!();
    assert.match(await sent, /^250 /);
    await until(() => server.connections() === 0);
  });

  it('that the relay already has is not given up because another is slow', async (t) => {
    await using server = await startSmtpServer();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const relay = openSmtpRelay({ host: '127.0.0.1', port: server.port, security: 'none' }, undefined);
    const hanging = async (count: number): Promise<void> => {
      while (server.hanging.length < count) await setImmediate();
    };
    server.next.push('hangs', 'hangs');
    const slow = relay.send({ ...message, to: 'slow@example.net' });
    await hanging(1);
    t.mock.timers.tick(60_000);
    const sent = relay.send(message);
    await hanging(2);
    t.mock.timers.tick(60_000);
    await assert.rejects(slow, /did not finish within 120 seconds/);
    server.hanging[1]!();
    assert.match(await sent, /^250 /);
    t.mock.timers.reset();
    await until(() => server.connections() === 0);
  });
});

function quoted(address: string): string {
  const at = address.lastIndexOf('@');
  return `"${address.slice(0, at)}"${address.slice(at)}`;
}
