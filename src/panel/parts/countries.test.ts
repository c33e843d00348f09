import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countriesWith, countryName, searchCountries } from './countries.ts';

const find = (search: string) => searchCountries(countriesWith(''), search).map(({ value }) => value);

test('a country is found by its name, without accents, and by its code', () => {
  assert.deepEqual(find('germany'), ['DE']);
  assert.equal(find('DE')[0], 'DE');
  assert.equal(find('ge')[0], 'GE');
  assert.equal(find('cote d')[0], 'CI');
  assert.deepEqual(find('qqq'), []);
});

test('every country has a name and is listed once', () => {
  const all = countriesWith('');
  assert.equal(new Set(all.map(({ value }) => value)).size, 249);
  assert.deepEqual(
    all.filter(({ value }) => countryName(value) === value),
    [],
  );
});

test('a stored code that is no country stays selectable', () => {
  assert.equal(countriesWith('ZZ').at(-1)?.value, 'ZZ');
  assert.equal(countryName('ZZ'), 'ZZ');
});
