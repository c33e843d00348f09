// Server-sent events over `fetch`: EventSource cannot send a key. A stream that breaks off is taken up again after the last event
// that was handed over, so that a reader misses none and sees none twice.
import { accepted, refusalOf } from './answer.ts';
import { lost, requestOf, type Input, type Transport } from './client.ts';
import { delayBefore, pause } from './retry.ts';
import type { CallOptions, Route } from './settings.ts';

/** The server says something every 15 s. A stream that is silent for longer has lost its other end without a word. */
const longestSilenceMs = 45_000;

/** The answer to a reader that comes back to a story that is over. */
const toldAll = Symbol('told all');

interface Frame {
  readonly id: string | undefined;
  readonly data: string | undefined;
  readonly retryMs: number | undefined;
}

export async function* streamOf(
  transport: Transport,
  route: Route,
  input: Input = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, void> {
  const { url } = requestOf(transport, route, input, 'json');
  let lastId: string | undefined;
  let retryMs = 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const frame of framesOf(transport, url, lastId, options)) {
        attempt = 0;
        retryMs = frame.retryMs ?? retryMs;
        lastId = frame.id ?? lastId;
        if (frame.data !== undefined) yield JSON.parse(frame.data);
      }
      await pause(retryMs, options.signal);
    } catch (error) {
      if (error === toldAll) return;
      // Whatever happened, there was a sign of life before it: the count begins anew.
      const delayMs = delayBefore(transport.policy, { attempt: Math.max(attempt, 1), repeat: 'freely', error });
      if (delayMs === undefined) throw error;
      await pause(delayMs, options.signal);
    }
  }
}

async function* framesOf(
  transport: Transport,
  url: URL,
  lastId: string | undefined,
  options: CallOptions,
): AsyncGenerator<Frame, void, void> {
  const connection = new AbortController();
  const headers = {
    accept: `text/event-stream, ${accepted}`,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  };
  const signal =
    options.signal === undefined ? connection.signal : AbortSignal.any([options.signal, connection.signal]);
  let silence = setTimeout(() => connection.abort(), longestSilenceMs);
  try {
    // The time limit of a call would end a stream in its middle; the silence does it here.
    const response = await transport.send(url, { headers }, { signal, timeoutMs: 2 ** 31 - 1 });
    if (response.status === 204) throw toldAll;
    if (!response.ok || response.body === null) throw await refusalOf(response);
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(() => connection.abort(), longestSilenceMs);
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) yield frameOf(block);
    }
  } catch (error) {
    throw error === toldAll ? error : lost(error, options.signal, undefined);
  } finally {
    clearTimeout(silence);
    connection.abort();
  }
}

function frameOf(block: string): Frame {
  const values = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) values.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  const retry = Number(values.get('retry') ?? Number.NaN);
  return { id: values.get('id'), data: values.get('data'), retryMs: Number.isFinite(retry) ? retry : undefined };
}
