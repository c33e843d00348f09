// The customer in most test sites, with or without an API key.
import { createKeyText } from '#lib/key-text.ts';

export const ada = {
  id: 1,
  firstname: 'Ada',
  lastname: 'Winter',
  email: 'ada@example.net',
  address1: 'Keizersgracht 12',
  city: 'Amsterdam',
  state: 'Noord-Holland',
  postcode: '1015CJ',
  country: 'NL',
} as const;

/** Returns the customer with a key that has all permissions, and the text of that key. */
export function adaWithKey(limits = { rate: 2000, burst: 10_000 }) {
  const { text, printableId: id, secretHash } = createKeyText();
  const keys = [{ name: 'own', id, hash: secretHash.toString('hex'), scopes: ['all' as const], limits }];
  return { customer: { ...ada, keys }, key: text };
}
