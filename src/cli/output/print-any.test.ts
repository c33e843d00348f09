// Responses that no command renders itself.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { printAny } from './print-any.ts';
import { createPrinter, type Format } from './printer.ts';

async function printed(response: unknown, format: Format = 'table'): Promise<string> {
  const out = new PassThrough({ encoding: 'utf8' });
  await printAny(createPrinter({ in: out, out, err: out, env: {}, home: '/' }, format), response);
  return String(out.read() ?? '');
}

test('a message is printed with the lines of its text and without HTML, which programs get', async () => {
  const message = { id: '1', subject: 'Hello', text: 'Dear Ada,\n\nit \u001B[31mworks.\n', html: '<!doctype html>' };
  assert.equal(await printed(message), 'id       1\nsubject  Hello\n\nDear Ada,\n\nit [31mworks.\n');
  assert.deepEqual(JSON.parse(await printed(message, 'json')), message);
});

test('lists are tables, objects are fields, and the rest is text', async () => {
  assert.equal(await printed([{ id: '1', tags: ['a', 'b'] }]), 'ID  TAGS\n1   a, b\n');
  assert.equal(await printed({ id: '1', text: 'one\ntwo' }), 'id    1\ntext  one two\n');
  assert.equal(await printed('Done'), 'Done\n');
  assert.equal(await printed([]), 'No results.\n');
  assert.equal(await printed([], 'json'), '[]\n');
  const statement = { lines: [{ day: '2026-11-18', amount: '9.00' }], notes: [], closing: '9.00' };
  assert.equal(await printed(statement), 'notes    \nclosing  9.00\n\nlines\nDAY         AMOUNT\n2026-11-18  9.00\n');
  assert.deepEqual(JSON.parse(await printed(statement, 'json')), statement);
});
