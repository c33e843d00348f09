import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { isHookGenuine, hookSecret, signedHookHeaders, signHook } from './hook-signature.ts';

const text = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const secret = hookSecret(text)!;
const body = Buffer.from('{"action":"start"}');
const now = 1_800_000_000;
const headers = { id: 'msg_1', timestamp: String(now), signature: signHook(secret, 'msg_1', now, body) };

test('a report has the same signature as from the reference library', () => {
  const referenceSignature = new Webhook(text).sign('msg_1', new Date(now * 1000), body.toString());
  assert.equal(headers.signature, referenceSignature);
  assert.ok(isHookGenuine(secret, { ...headers, signature: `v1,AAAA ${referenceSignature}` }, body, now * 1000));
});

test('a request that we send is accepted by the reference library with either of two secrets', () => {
  const previous = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const sentHeaders = signedHookHeaders([secret, hookSecret(previous)!], 'msg_1', Date.now(), body.toString());
  for (const secretText of [text, previous])
    assert.deepEqual(new Webhook(secretText).verify(body.toString(), sentHeaders), { action: 'start' });
});

test('a report with another body, id, timestamp or secret is not genuine, nor is an old one', () => {
  assert.ok(isHookGenuine(secret, headers, body, (now + 299) * 1000));
  assert.ok(!isHookGenuine(secret, headers, body, (now + 301) * 1000));
  assert.ok(!isHookGenuine(secret, headers, body, (now - 301) * 1000));
  assert.ok(!isHookGenuine(secret, headers, Buffer.from('{}'), now * 1000));
  assert.ok(!isHookGenuine(secret, { ...headers, id: 'msg_2' }, body, now * 1000));
  assert.ok(!isHookGenuine(secret, { ...headers, timestamp: String(now + 1) }, body, now * 1000));
  assert.ok(!isHookGenuine(secret, { ...headers, timestamp: 'soon' }, body, now * 1000));
  assert.ok(!isHookGenuine(secret, { ...headers, signature: '' }, body, now * 1000));
  assert.ok(!isHookGenuine(createSecretKey(Buffer.alloc(24, 8)), headers, body, now * 1000));
});

test('a secret is base64 of at least 16 bytes', () => {
  assert.equal(hookSecret('short'), undefined);
  assert.equal(hookSecret('whsec_not base64 at all, and yet long enough'), undefined);
  assert.equal(secret.symmetricKeySize, 24);
});
