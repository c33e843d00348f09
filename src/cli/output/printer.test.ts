// Output for programs: unchanged values, in text that a terminal does not interpret either.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { createPrinter, type Format } from './printer.ts';

/** A name that a customer chose, with control sequences of eight bits, and text that reads backwards. */
const value = { name: 'vm\u009b2J \u202etxt.exe\u2069', list: ['\u007f', 'ordinary: text'], none: null };

async function printed(format: Format): Promise<string> {
  const out = new PassThrough({ encoding: 'utf8' });
  const print = createPrinter({ in: out, out, err: out, env: {}, home: '/' }, format);
  await print.value(value, () => '');
  await print.streamItem(value, () => '');
  return String(out.read());
}

describe('output for programs', () => {
  for (const format of ['json', 'yaml'] as const)
    test(`is complete and cannot control a terminal, as ${format}`, async () => {
      const output = await printed(format);
      assert.doesNotMatch(output, /[\u007f-\u009f\u202e\u2069]/);
      const [first, second] = format === 'yaml' ? output.split('---\n') : output.split(/(?<=\n\}\n)/);
      assert.deepEqual(
        [first, second].map((part) => parse(part!) as unknown),
        [value, value],
      );
    });
});
