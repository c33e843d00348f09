import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSmtpServer } from '#test/support/smtp-server.ts';
import { openSmtpRelay } from './smtp.ts';

describe('a message', () => {
  it('goes to nobody but its recipient, whatever characters the address has', async () => {
    await using server = await startSmtpServer();
    const relay = openSmtpRelay({ host: '127.0.0.1', port: server.port, security: 'none' }, undefined);
    const content = { subject: 'Subject', text: 'text', html: '<p>text</p>', headers: {}, attachments: [] };
    const from = { name: 'Provider', address: 'noreply@provider.example' };
    const addresses = ['root,somebody@example.net', 'root;somebody@example.net', 'group:somebody@example.net'];
    try {
      for (const to of addresses)
        for (const returnPath of ['bounces@provider.example', undefined])
          await relay.send({ ...content, messageId: '<1@provider.example>', from, to, returnPath });
    } finally {
      relay.close();
    }
    assert.deepEqual(
      server.accepted.map(({ to }) => to),
      addresses.flatMap((to) => [quoted(to), quoted(to)]),
    );
  });
});

function quoted(address: string): string {
  const at = address.lastIndexOf('@');
  return `"${address.slice(0, at)}"${address.slice(at)}`;
}
