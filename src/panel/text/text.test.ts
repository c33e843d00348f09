import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { ReactElement, ReactNode } from 'react';
import { rich } from './rich.ts';
import { formatNumber, setCatalogue, t, tCount, tData, tError, type Catalogue } from './text.ts';

const german: Catalogue = {
  'Power off {name}?': '{name} ausschalten?',
  '{count} records of {zone}': { one: '{count} Eintrag von {zone}', other: '{count} Einträge von {zone}' },
  'Open@@invoice': 'Offen',
  Open: 'Öffnen',
  'Read the <link>guide</link> of {name}.': 'Die <link>Anleitung</link> zu {name} lesen.',
  'error:device_busy': 'Das Gerät ist beschäftigt.',
  'Incorrect password.': 'Falsches Passwort.',
};

describe('a text', () => {
  afterEach(() => setCatalogue('en', {}));

  it('is English without a catalogue, and without its context', () => {
    assert.equal(t('Power off {name}?', { name: 'web1' }), 'Power off web1?');
    assert.equal(t('Open@@invoice'), 'Open');
    assert.equal(t('Open'), 'Open');
  });

  it('is translated with the same values, and by its context', () => {
    setCatalogue('de', german);
    assert.equal(t('Power off {name}?', { name: 'web1' }), 'web1 ausschalten?');
    assert.equal(t('Open@@invoice'), 'Offen');
    assert.equal(t('Open'), 'Öffnen');
    assert.equal(t('Open@@licence'), 'Öffnen', 'a context without a text of its own');
    assert.equal(t('Not in the catalogue {id}', { id: 7 }), 'Not in the catalogue 7');
  });

  it('keeps braces and dollar signs of a value', () => {
    assert.equal(t('{a} and {b}', { a: '{b}', b: '$&' }), '{b} and $&');
  });

  it('has a form for the number, which is formatted', () => {
    const count = (number: number): string =>
      tCount(number, { one: '{count} record of {zone}', other: '{count} records of {zone}' }, { zone: 'a.net' });
    assert.equal(count(1), '1 record of a.net');
    assert.equal(count(1200), '1,200 records of a.net');
    setCatalogue('de', german);
    assert.equal(count(1), '1 Eintrag von a.net');
    assert.equal(count(1200), '1.200 Einträge von a.net');
    assert.equal(formatNumber(0.5), '0,5');
  });

  it('of the server is translated by its message, or else by the code of the error', () => {
    setCatalogue('de', german);
    assert.equal(tError('unauthenticated', 'Incorrect password.'), 'Falsches Passwort.');
    assert.equal(tError('device_busy', 'A reload is running.'), 'Das Gerät ist beschäftigt.');
    assert.equal(tError('state_conflict', 'It is off.'), 'It is off.');
    assert.equal(tData('constructor'), 'constructor');
  });

  it('has elements in the order of its language', () => {
    const sentence = (): string =>
      textOf(rich('Read the <link>guide</link> of {name}.', { link: (text) => ['[', text, ']'], name: 'web1' }));
    assert.equal(sentence(), 'Read the [guide] of web1.');
    setCatalogue('de', german);
    assert.equal(sentence(), 'Die [Anleitung] zu web1 lesen.');
  });
});

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node === 'string') return node;
  return textOf((node as ReactElement<{ children: ReactNode }>).props.children);
}
