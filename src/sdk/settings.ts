// Settings of a client and options of a call.

export interface ClientSettings {
  /** Address of Hostyard, such as https://api.example.net. */
  readonly url: string;
  /** API key. Not needed for signing in. */
  readonly key?: string;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  readonly retry?: RetrySettings;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number;
}

export interface RetrySettings {
  /** Maximum number of attempts; 1 disables retries. */
  readonly attempts?: number;
  /** Delay before the second attempt; doubles with each one. */
  readonly firstDelayMs?: number;
  /** Upper limit of a delay. If the server asks for a longer one the call fails, and the error says how long. */
  readonly longestDelayMs?: number;
}

export interface CallOptions {
  /** Aborts the call. Work that it started on the server continues. */
  readonly signal?: AbortSignal;
  /** A change repeated with the same key, even by another process days later, happens only once. Random by default. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

/** How a call may be retried: freely, with an Idempotency-Key, or never. */
export type Repeat = 'freely' | 'with-key' | 'never';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly repeat: Repeat;
  /** Returns a file instead of the envelope. */
  readonly file?: true;
  /** Also available as server-sent events. */
  readonly streams?: true;
}

/** How to find the next page of a list. */
export interface Paging {
  readonly parameter: 'after' | 'before';
  /** Default page size. */
  readonly limit: number;
  /** The position of the next page: a property of the last item, the lowest key of an object, or the `cursor` of the page. */
  readonly next: { readonly itemMember: string } | 'lowest-key' | { readonly cursorBeside: string };
}

/** An id, as digits or as a number. */
export type Id = number | string;

export interface FileResponse {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly bytes: Uint8Array;
}
