// Certificates that the server signs, and texts that only look like them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { publicJwk, signJws } from '#lib/jws.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { verifyCertificate } from './certificate.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const key = publicJwk(privateKey);
const contents = { certificate: '1', provider: 'Yard & Søn', server: 'dc01r01ds01', disks: [{ serial: 'WD-1' }] };
const signed = signJws(contents, privateKey);
const [header, payload, signature] = signed.split('.') as [string, string, string];

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const isRejected = async (text: string, withKey = key): Promise<void> => {
  await assert.rejects(verifyCertificate(text, withKey), text);
};

describe('a signed certificate', () => {
  test('is verified with the key of the provider', async () => {
    assert.deepEqual(await verifyCertificate(signed, key), contents);
  });

  test('is verified by openssl, too', needs('openssl'), async () => {
    await using folder = await temporaryFolder('certificate');
    const file = (name: string, content: string | Buffer): string => {
      const path = join(folder.path, name);
      writeFileSync(path, content);
      return path;
    };
    const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' });
    const verify = (text: string): string => {
      const sealed = file('signature', Buffer.from(signature, 'base64url'));
      const files = ['-inkey', file('key.pem', pem), '-in', file('text', text), '-sigfile', sealed];
      const args = ['pkeyutl', '-verify', '-pubin', '-rawin', ...files];
      return spawnSync('openssl', args, { encoding: 'utf8' }).stdout;
    };
    assert.match(verify(`${header}.${payload}`), /Verified Successfully/);
    assert.match(verify(`${header}.${payload}A`), /Verification Failure/);
  });

  test('is rejected if any character is changed', async () => {
    const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n'];
    const places = fc.integer({ min: 0, max: signed.length - 1 });
    await fc.assert(
      fc.asyncProperty(places, fc.constantFrom(...characters), async (place, character) => {
        fc.pre(signed[place] !== character);
        await isRejected(signed.slice(0, place) + character + signed.slice(place + 1));
      }),
      // The bits without a meaning are in the last character.
      { examples: characters.filter((other) => other !== signed.at(-1)).map((other) => [signed.length - 1, other]) },
    );
  });

  test('is rejected if it is cut off or extended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: signed.length - 1 }), async (length) =>
        isRejected(signed.slice(0, length)),
      ),
    );
    for (const extra of ['A', '=', '\n', '.', `.${signature}`]) await isRejected(signed + extra);
  });

  test('is rejected with another key', async () => {
    const other = publicJwk(generateKeyPairSync('ed25519').privateKey);
    await isRejected(signed, other);
    await isRejected(signed, { ...other, kid: key.kid });
    await isRejected(signed, { ...key, kid: other.kid });
  });

  test('is rejected if its header names another key or algorithm', async () => {
    const signWith = (fields: object): string => {
      const text = `${encode({ alg: 'EdDSA', kid: key.kid, ...fields })}.${payload}`;
      return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
    };
    assert.deepEqual(await verifyCertificate(signWith({}), key), contents);
    await isRejected(signWith({ kid: 'another' }));
    await isRejected(signWith({ kid: undefined }));
    await isRejected(signWith({ alg: 'none' }));
    await isRejected(signWith({ crit: ['b64'], b64: false }));
  });

  test('is rejected if it is signed with the public key as a shared secret, or not at all', async () => {
    const symmetric = `${encode({ alg: 'HS256', kid: key.kid })}.${payload}`;
    for (const secret of [key.x, Buffer.from(key.x, 'base64url')])
      await isRejected(`${symmetric}.${createHmac('sha256', secret).update(symmetric).digest('base64url')}`);
    await isRejected(`${encode({ alg: 'none', kid: key.kid })}.${payload}.`);
    await isRejected(`${encode({ alg: 'none', kid: key.kid })}.${payload}`);
  });

  test('is not any text', async () => {
    for (const text of ['', '.', '..', 'a.b.c', `bnVsbA.${payload}.${signature}`]) await isRejected(text);
  });
});
