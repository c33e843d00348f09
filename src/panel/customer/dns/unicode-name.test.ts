import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import { asciiName, unicodeName } from './unicode-name.ts';

test('an internationalized name is shown in its script, as Node decodes it', () => {
  for (const name of [
    'bücher.example',
    'münchen-straße.de',
    '例え.テスト',
    'пример.рф',
    'ü.ü.ü',
    'ελληνικά.gr',
    'example.net',
  ]) {
    const ascii = domainToASCII(name);
    assert.equal(unicodeName(ascii), domainToUnicode(ascii));
    assert.equal(asciiName(` ${name} `), ascii);
  }
});

test('a label that is not valid stays as it is', () => {
  for (const name of ['xn--a', 'xn--!', 'xn--99999999', 'xn--example-.net', 'xn--Mnchen-3ya'])
    assert.equal(unicodeName(name), name);
});
