import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortByName } from './name-order.ts';

const people = ['Zimmer', 'Müller', 'Muller', 'O’Brien', 'Ångström', 'Ödegård', 'José', 'Li', '東京', 'muller'].map(
  (lastname, index) => ({ id: String(index), firstname: 'Ada', lastname }),
);
const sorted = (language: string) => sortByName(people, language).map(({ lastname }) => lastname);

describe('the order of names', () => {
  it('follows the language: umlauts are variants of vowels in German, and letters after z in Swedish', () => {
    const german = ['Ångström', 'José', 'Li', 'muller', 'Muller', 'Müller', 'O’Brien', 'Ödegård', 'Zimmer', '東京'];
    assert.deepEqual(sorted('de'), german);
    assert.deepEqual(sorted('sv').slice(-4), ['Zimmer', 'Ångström', 'Ödegård', '東京']);
  });

  it('is stable, whatever the order before', () => {
    const twins = [2, 10, 1].map((id) => ({ id: String(id), firstname: 'Li', lastname: 'Li' }));
    assert.deepEqual(
      sortByName([...twins, { id: '3', firstname: 'An', lastname: 'Li' }], 'en').map(({ id }) => id),
      ['3', '1', '2', '10'],
    );
    assert.deepEqual(sortByName(people.toReversed(), 'de'), sortByName(people, 'de'));
  });
});
