import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailboxName } from './settings.ts';

test('a mailbox becomes a name whose first label is the user', () => {
  assert.equal(mailboxName('dns.team@example.net'), 'dns\\.team.example.net');
  assert.equal(mailboxName('hostmaster@example.net'), 'hostmaster.example.net');
  assert.equal(mailboxName('hostmaster.example.net'), 'hostmaster.example.net');
});
