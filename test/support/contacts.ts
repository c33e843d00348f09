// Contacts made in numbers, for stories in which the server is shot or stopped meanwhile.

import { type Agent, request as dial } from 'node:http';

const fields = {
  lastname: 'Berg',
  email: 'anna@example.com',
  password: 'correct horse',
  address1: 'Street 1',
  city: 'Lyon',
  state: 'Rhone',
  zipcode: '69003',
  country: 'FR',
};

/** The number as letters: names of contacts have no digits. */
export function nameOf(number: number): string {
  return `Nr${String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}x`;
}

/** One attempt: the status and text, or undefined where no whole answer came. The same number is always the same request. */
export function createContact(url: string, key: string, number: number, agent: Agent): Promise<string | undefined> {
  const name = nameOf(number);
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': name };
    const sent = dial(`${url}/v2/account/contact`, { method: 'POST', agent, headers }, (answer) => {
      let text = `${answer.statusCode} `;
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(answer.complete ? text : undefined)).on('error', () => resolve(undefined));
      answer.on('aborted', () => resolve(undefined));
    });
    sent.on('error', () => resolve(undefined)).end(JSON.stringify({ firstname: name, ...fields }));
  });
}
