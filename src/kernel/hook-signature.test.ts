import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { hookIsGenuine, hookSecret, signHook } from './hook-signature.ts';

const text = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const secret = hookSecret(text)!;
const body = Buffer.from('{"action":"start"}');
const now = 1_800_000_000;
const headers = { id: 'msg_1', timestamp: String(now), signature: signHook(secret, 'msg_1', now, body) };

test('a report is signed as the standard’s own library signs it', () => {
  const theirs = new Webhook(text).sign('msg_1', new Date(now * 1000), body.toString());
  assert.equal(headers.signature, theirs);
  assert.ok(hookIsGenuine(secret, { ...headers, signature: `v1,AAAA ${theirs}` }, body, now * 1000));
});

test('another body, id, moment or secret is not genuine, nor is one that is old', () => {
  assert.ok(hookIsGenuine(secret, headers, body, (now + 299) * 1000));
  assert.ok(!hookIsGenuine(secret, headers, body, (now + 301) * 1000));
  assert.ok(!hookIsGenuine(secret, headers, body, (now - 301) * 1000));
  assert.ok(!hookIsGenuine(secret, headers, Buffer.from('{}'), now * 1000));
  assert.ok(!hookIsGenuine(secret, { ...headers, id: 'msg_2' }, body, now * 1000));
  assert.ok(!hookIsGenuine(secret, { ...headers, timestamp: String(now + 1) }, body, now * 1000));
  assert.ok(!hookIsGenuine(secret, { ...headers, timestamp: 'soon' }, body, now * 1000));
  assert.ok(!hookIsGenuine(secret, { ...headers, signature: '' }, body, now * 1000));
  assert.ok(!hookIsGenuine(createSecretKey(Buffer.alloc(24, 8)), headers, body, now * 1000));
});

test('a secret is base64 of at least 16 bytes', () => {
  assert.equal(hookSecret('short'), undefined);
  assert.equal(hookSecret('whsec_not base64 at all, and yet long enough'), undefined);
  assert.equal(secret.symmetricKeySize, 24);
});
