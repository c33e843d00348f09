// Server-sent events over `fetch`, because EventSource cannot send a key. A broken stream resumes after the last event, so that a
// reader sees every event exactly once. Parsed here rather than with `eventsource-parser`, which ignores the id of an event
// without data: our heartbeats carry the cursor that way.
import { acceptedTypes, readError } from './response.ts';
import { connectionError, buildRequest, type Input, type Transport } from './client.ts';
import { retryDelay, pause } from './retry.ts';
import type { CallOptions, Route } from './settings.ts';

/** The server sends a heartbeat every 15 s. After a longer silence the connection is assumed to be dead. */
const maxSilenceMs = 45_000;

/** The server responds with 204 to a reader that resumes a stream which has ended. */
const streamEnd = Symbol('stream end');

interface Frame {
  readonly id: string | undefined;
  readonly data: string | undefined;
  readonly retryMs: number | undefined;
}

export async function* openStream(
  transport: Transport,
  route: Route,
  input: Input = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, void> {
  const { url } = buildRequest(transport, route, input, 'json');
  let lastId: string | undefined;
  let retryMs = 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const frame of readFrames(transport, url, lastId, options)) {
        attempt = 0;
        retryMs = frame.retryMs ?? retryMs;
        lastId = frame.id ?? lastId;
        if (frame.data !== undefined) yield JSON.parse(frame.data);
      }
      await pause(retryMs, options.signal);
    } catch (error) {
      if (error === streamEnd) return;
      // Attempts are counted from the last frame received.
      const delayMs = retryDelay(transport.policy, { attempt: Math.max(attempt, 1), repeat: 'freely', error });
      if (delayMs === undefined) throw error;
      await pause(delayMs, options.signal);
    }
  }
}

async function* readFrames(
  transport: Transport,
  url: URL,
  lastId: string | undefined,
  options: CallOptions,
): AsyncGenerator<Frame, void, void> {
  const connection = new AbortController();
  const headers = {
    accept: `text/event-stream, ${acceptedTypes}`,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  };
  const signal =
    options.signal === undefined ? connection.signal : AbortSignal.any([options.signal, connection.signal]);
  let silence = setTimeout(() => connection.abort(), maxSilenceMs);
  try {
    // The time limit of a call would cut off the stream; the silence timer replaces it.
    const response = await transport.send(url, { headers }, { signal, timeoutMs: 2 ** 31 - 1 });
    if (response.status === 204) throw streamEnd;
    if (!response.ok || response.body === null) throw await readError(response);
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(() => connection.abort(), maxSilenceMs);
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) yield parseFrame(block);
    }
  } catch (error) {
    throw error === streamEnd ? error : connectionError(error, url, options.signal);
  } finally {
    clearTimeout(silence);
    connection.abort();
  }
}

function parseFrame(block: string): Frame {
  const values = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) values.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  const retry = Number(values.get('retry') ?? Number.NaN);
  return { id: values.get('id'), data: values.get('data'), retryMs: Number.isFinite(retry) ? retry : undefined };
}
