// Large responses that their clients have not read yet. Each stays in memory until then, so that an account can have only so much
// of them, and a client that stops reading is disconnected.
import type { ServerResponse } from 'node:http';
import { ApiError } from '#lib/api-error.ts';

/** More than any response has. */
const bytesPerAccount = 96 * 2 ** 20;
const stallMs = 30_000;

export interface UnsentResponses {
  /** Throws `rate_limited` if the account would have too much that was not read; one response is always sent. */
  requireRoom(account: number, bytes?: number): void;
  add(account: number, bytes: number, response: Pick<ServerResponse, 'once' | 'setTimeout' | 'destroy'>): void;
}

export function createUnsentResponses(limitBytes = bytesPerAccount): UnsentResponses {
  const unsent = new Map<number, number>();
  return {
    requireRoom(account, bytes = 0) {
      const before = unsent.get(account) ?? 0;
      if (before > 0 && before + bytes > limitBytes)
        throw new ApiError('rate_limited', {
          message: 'Too many large responses are unread. Read them before you request more.',
          retryAfterSeconds: 1,
        });
    },
    add(account, bytes, response) {
      unsent.set(account, (unsent.get(account) ?? 0) + bytes);
      response.setTimeout(stallMs, () => response.destroy());
      let isUnsent = true;
      const release = (): void => {
        if (!isUnsent) return;
        isUnsent = false;
        const left = unsent.get(account)! - bytes;
        if (left === 0) unsent.delete(account);
        else unsent.set(account, left);
      };
      // The first of them: it was handed to the system, or the client has disconnected.
      response.once('finish', release).once('close', release);
    },
  };
}
