import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomPassword } from '#lib/random.ts';
import { isCommonPassword } from './common-passwords.ts';

test('common passwords are recognised in any case, and with digits and signs around them', async () => {
  for (const password of [
    '1234567890',
    'Password123',
    'Manchester2026!',
    '!!basketball!!',
    'q1w2e3r4t5',
    'aaaaaaaaaaaa',
  ])
    assert.equal(await isCommonPassword(password), true, password);
});

test('other passwords are not: generated ones, sentences, and those of other scripts', async () => {
  const sentences = ['correct horse battery staple', 'Der Zug um 7:42 war leer', '東京の夜は長くて静かだ'];
  for (const password of [...sentences, ...Array.from({ length: 50 }, () => randomPassword(10))])
    assert.equal(await isCommonPassword(password), false, password);
});
