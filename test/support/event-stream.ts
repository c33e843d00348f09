// Reads the event log as a list, and as server-sent events like a browser's EventSource, but without reconnecting: tests
// do that themselves.
import { requestResult } from './request.ts';

/** Returns the account's events, oldest first. */
export async function listEvents<Data = Record<string, unknown>>(
  server: { url: string },
  key: string,
  params: Record<string, unknown> = {},
): Promise<StreamedData<Data>[]> {
  const { events } = await requestResult<{ events: StreamedData<Data>[] }>(server, 'GET', '/v2/event', { key, params });
  return events;
}

export interface Streamed<Data> {
  id: string;
  data: Data;
}
export interface StreamedData<Data = Record<string, unknown>> {
  id: string;
  type: string;
  service: string;
  data: Data;
}

export interface StreamReader<Data> extends AsyncDisposable {
  status: number;
  headers: Headers;
  /** Returns the next event, or undefined if the server has ended the stream. */
  next(): Promise<Streamed<Data> | undefined>;
  /** Reads until `count` events have arrived or the stream ends. */
  take(count: number): Promise<Streamed<Data>[]>;
  /** Everything received, including comments and retry hints. */
  text(): string;
}

export interface ReaderOptions {
  key: string;
  query?: Record<string, string>;
  lastEventId?: string;
}

export function readEvents(server: { url: string }, options: ReaderOptions): Promise<StreamReader<StreamedData>> {
  return readStream<StreamedData>(server, '/v2/event', options);
}

export async function readStream<Data>(
  server: { url: string },
  path: string,
  options: ReaderOptions,
): Promise<StreamReader<Data>> {
  const url = new URL(path, server.url);
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: {
      accept: 'text/event-stream',
      'x-api-key': options.key,
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
    },
    signal: controller.signal,
  });
  // A response without a body is a stream that has ended.
  const body = response.body ?? new Blob([]).stream();
  const chunks = body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let all = '';
  let unread = '';

  async function next(): Promise<Streamed<Data> | undefined> {
    for (;;) {
      const end = unread.indexOf('\n\n');
      if (end >= 0) {
        const event = parsed<Data>(unread.slice(0, end));
        unread = unread.slice(end + 2);
        if (event !== undefined) return event;
        continue;
      }
      const chunk = await chunks.next();
      if (chunk.done === true) return undefined;
      all += chunk.value;
      unread += chunk.value;
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    next,
    async take(count) {
      const events: Streamed<Data>[] = [];
      while (events.length < count) {
        const event = await next();
        if (event === undefined) break;
        events.push(event);
      }
      return events;
    },
    text: () => all,
    [Symbol.asyncDispose]: async () => controller.abort(),
  };
}

function parsed<Data>(block: string): Streamed<Data> | undefined {
  const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  const data = fields.get('data');
  return data === undefined ? undefined : { id: fields.get('id') ?? '', data: JSON.parse(data) as Data };
}
