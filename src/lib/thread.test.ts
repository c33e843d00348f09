import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '#test/support/until.ts';
import { startThread } from './thread.ts';

/** A thread that reports the number it was started with, and does what it is asked to. */
function program(body = ''): URL {
  const source = `
    import { askMain, postToMain, readThreadData, reportReady } from ${JSON.stringify(new URL('thread.ts', import.meta.url))};
    ${body}
    await reportReady(readThreadData(), {
      onMessage(message) {
        if (message === 'throw') throw new Error('as asked');
        if (message === 'fill') for (const kept = [];;) kept.push(new Array(100_000).fill(kept.length));
        if (message.startsWith('ask ')) askMain(message.slice(4)).then(postToMain, (error) => postToMain(error.message));
        else postToMain(message + ' back');
      },
      onStop: async () => postToMain('stopping'),
    });
  `;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

function start(file: URL) {
  const messages: string[] = [];
  const log = pino({ level: 'silent' });
  const onMessage = (message: string) => void messages.push(message);
  const data = (ready: number | undefined) => (ready ?? 0) + 1;
  const onQuestion = async (question: unknown) => {
    if (question === 'nothing') throw new Error('no answer');
    return `${String(question)} answered`;
  };
  const settings = { file, name: 'the test', data, onMessage, onQuestion, log };
  return { messages, thread: startThread<number, number, string>(settings) };
}

describe('a thread', () => {
  it('exchanges messages, and ends in order when it is disposed of', async () => {
    const { messages, thread } = start(program());
    const running = await thread;
    assert.equal(running.ready, 1);
    running.post('hello');
    await until(() => messages.includes('hello back'));
    await running[Symbol.asyncDispose]();
    assert.deepEqual(messages, ['hello back', 'stopping']);
    assert.deepEqual([running.isRunning, running.restarts], [false, 0]);
  });

  it('gets answers to its questions, or an error if there is none', async () => {
    const { messages, thread } = start(program());
    await using running = await thread;
    for (const question of ['ask first', 'ask nothing', 'ask second']) running.post(question);
    await until(() => messages.length === 3);
    assert.deepEqual(messages.sort(), ['first answered', 'second answered', 'the main thread failed to answer']);
  });

  it('that fails before it is ready passes its error on', async () => {
    const failing = start(program(`throw Object.assign(new Error('not today'), { code: 'EADDRINUSE' });`)).thread;
    await assert.rejects(failing, { message: 'not today', code: 'EADDRINUSE' });
  });

  for (const [what, message] of [
    ['throws', 'throw'],
    ['fills its memory', 'fill'],
  ] as const)
    it(`that ${what} is replaced, and the process continues`, { timeout: 60_000 }, async () => {
      const { messages, thread } = start(program());
      await using running = await thread;
      running.post(message);
      await until(() => running.restarts === 1 && running.isRunning);
      running.post('again');
      await until(() => messages.includes('again back'));
      assert.equal(running.ready, 1);
    });
});
