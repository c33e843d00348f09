// A valid contact, and numbered ones for tests that kill or stop the server at the same time.

import { type Agent, request as dial } from 'node:http';

export const anna = {
  firstname: 'Anna',
  lastname: 'Berg',
  email: 'anna@example.com',
  password: 'correct horse',
  address1: 'Street 1',
  city: 'Lyon',
  state: 'Rhone',
  zipcode: '69003',
  country: 'FR',
};

/** Spells the number in letters, because names of contacts cannot contain digits. */
export function nameOf(number: number): string {
  return `Nr${String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}x`;
}

/**
 * Makes one attempt: returns the status and body, or undefined if no complete response arrived. The same number always
 * sends the same request, by default with an Idempotency-Key.
 */
export function createContact(
  url: string,
  key: string,
  number: number,
  agent: Agent,
  idempotency: 'with key' | 'without key' = 'with key',
): Promise<string | undefined> {
  const name = nameOf(number);
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'x-api-key': key,
      ...(idempotency === 'with key' && { 'idempotency-key': name }),
    };
    const sent = dial(`${url}/v2/account/contact`, { method: 'POST', agent, headers }, (response) => {
      let text = `${response.statusCode} `;
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(response.complete ? text : undefined)).on('error', () => resolve(undefined));
      response.on('aborted', () => resolve(undefined));
    });
    sent.on('error', () => resolve(undefined)).end(JSON.stringify({ ...anna, firstname: name }));
  });
}
