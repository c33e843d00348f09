// A machine that prints and never reads: what viewers type and the terminal answers must not fill the server's memory.
import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { readBytes } from '#protocols/rfb/bytes.ts';
import { clientHandshake } from '#protocols/rfb/handshake.ts';
import { until } from '#test/support/until.ts';
import { shareConsoles } from './shared-console.ts';

const events = 20_000;
const keyDown = Buffer.from([4, 1, 0, 0, 0, 0, 0, 'a'.charCodeAt(0)]);
const askForName = '\x1b[c';

test('input for a machine that reads none is dropped', async () => {
  const signal = AbortSignal.timeout(60_000);
  let isAsked = false;
  const line = new Duplex({ read: () => {}, write: () => (isAsked = true) });
  const { vnc } = shareConsoles({ open: async () => line });
  const { stream } = await vnc.open('vm-1', signal);
  await clientHandshake(stream, undefined);
  stream.write(Buffer.of(1));
  await readBytes(stream, 24, signal);
  stream.resume();
  line.push(askForName);
  await until(() => isAsked);
  // What is pushed next is read once the flood is interpreted.
  for (const output of [askForName.repeat(events), 'x']) {
    line.push(output);
    await until(() => line.readableLength === 0);
  }
  const answered = line.writableLength;
  for (let sent = 0; sent < events; sent++)
    if (!stream.write(keyDown)) await new Promise((resolve) => stream.once('drain', resolve));
  await until(() => stream.writableLength === 0);
  for (const bytes of [answered, line.writableLength]) assert.ok(bytes > 0 && bytes < 10_000, `${bytes} bytes wait`);
  stream.destroy();
});
