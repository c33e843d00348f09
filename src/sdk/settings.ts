// What a program says when it makes a client, and with each call.

export interface ClientSettings {
  /** Where Hostyard answers, such as https://api.example.net. */
  readonly url: string;
  /** An API key; left out for what needs none, such as signing in. */
  readonly key?: string;
  /** Another `fetch` than the runtime's own. */
  readonly fetch?: typeof globalThis.fetch;
  readonly retry?: RetrySettings;
  /** How long one try of a call may take. */
  readonly timeoutMs?: number;
}

export interface RetrySettings {
  /** Tries of a call, the first included; 1 never tries again. */
  readonly attempts?: number;
  /** The delay before the second try; it doubles from there. */
  readonly firstDelayMs?: number;
  /** No delay is longer. Where the server asks for a longer one the call fails, and its error says how long. */
  readonly longestDelayMs?: number;
}

export interface CallOptions {
  /** Ends the call. What it began on the server goes on there. */
  readonly signal?: AbortSignal;
  /** Names this change: repeated under the same name, also by another process days later, it happens once. Made up unless given. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

/** How a call may be repeated: as it is, under an Idempotency-Key, or not at all. */
export type Repeat = 'freely' | 'with-key' | 'never';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly repeat: Repeat;
  /** Answers a file instead of the envelope. */
  readonly file?: true;
  /** Tells the same as it happens, as server-sent events. */
  readonly streams?: true;
}

/** How the pages of a list follow each other. */
export interface Paging {
  readonly parameter: 'after' | 'before';
  /** Items of a page unless the caller says how many. */
  readonly limit: number;
  /** Where a page says where the next begins: a member of its last item, the lowest key of an object, or its own `cursor`. */
  readonly next: { readonly itemMember: string } | 'lowest-key' | { readonly cursorBeside: string };
}

/** An id, as digits or as a number. */
export type Id = number | string;

export interface FileAnswer {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly bytes: Uint8Array;
}
