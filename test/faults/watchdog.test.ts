// A process whose event loop hangs is ended, and its log says where it hung.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';

/** Shorter than that of a server, which would hang for ten seconds. */
const beatMs = 300;
const program = (body: string): string => `
  import { startWatchdog } from '#server/watchdog.ts';
  startWatchdog(${beatMs});
  ${body}
`;

async function run(body: string): Promise<{ code: number | null; signal: string | null; output: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(body)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code: code as number | null, signal: signal as string | null, output };
}

describe('the watchdog', { concurrency: true }, () => {
  test('ends a process that loops over microtasks, and logs the stack', { timeout: 60_000 }, async () => {
    const { signal, output } = await run(`
      // Nearly all of its time is its own, because the stack shows one moment.
      async function spinForever() { for (;;) for (let count = await 0; count < 1e6; count++); }
      setTimeout(spinForever, 100);
    `);
    assert.equal(signal, 'SIGKILL');
    assert.match(output, /the event loop has not turned for 3 seconds/);
    assert.match(output, /spinForever/);
  });

  test('ends a process that hangs in native code', { timeout: 60_000 }, async () => {
    const { signal, output } = await run(
      `setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50_000), 100);`,
    );
    assert.equal(signal, 'SIGKILL');
    assert.match(output, /the event loop has not turned/);
  });

  test('leaves a busy process alone, and does not keep an idle one alive', { timeout: 60_000 }, async () => {
    const { code, output } = await run(`
      const until = performance.now() + 4000;
      function work() {
        const slice = performance.now() + 600;
        while (performance.now() < slice);
        if (performance.now() < until) setTimeout(work);
      }
      work();
    `);
    assert.deepEqual({ code, output }, { code: 0, output: '' });
  });
});
