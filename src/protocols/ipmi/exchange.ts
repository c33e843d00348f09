// One request and its response over a medium that loses datagrams: transmits and waits, with increasing delays, until a
// response, the last attempt, the deadline or the caller's signal.
import { IpmiError } from './error.ts';

export interface RetryPolicy {
  /** The wait after the first transmission; each further wait is 1.5 times as long. */
  retransmitMs: number;
  attempts: number;
}

/** On the monotonic clock of `performance.now()`. */
export interface Deadline {
  atMs: number;
  signal: AbortSignal | undefined;
}

export function deadlineIn(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  return { atMs: performance.now() + timeoutMs, signal };
}

export function isPast(deadline: Deadline): boolean {
  return deadline.signal?.aborted === true || performance.now() >= deadline.atMs;
}

export function timeoutError(deadline: Deadline, what: string): IpmiError {
  // A caller that has waited long enough got no response either.
  const isAborted = deadline.signal?.aborted === true && (deadline.signal.reason as Error).name !== 'TimeoutError';
  if (!isAborted) return new IpmiError('timeout', `no response to ${what}`);
  return new IpmiError('timeout', `${what} was aborted by its caller`, { cause: deadline.signal!.reason });
}

const backoffFactor = 1.5;

/** Returns how long a request waits for its response, over all transmissions. */
export function requestMs({ retransmitMs, attempts }: RetryPolicy): number {
  return (retransmitMs * (backoffFactor ** attempts - 1)) / (backoffFactor - 1);
}

export interface Exchange<Response> {
  what: string;
  transmit(): void;
  /** Starts listening, and returns a function that stops. There is nothing to wait for after `onLost`. */
  listen(onResponse: (response: Response) => void, onLost: () => void): () => void;
}

export function exchange<Response>(
  pace: RetryPolicy,
  deadline: Deadline,
  request: Exchange<Response>,
): Promise<Response> {
  const { signal } = deadline;
  return new Promise((resolve, reject) => {
    let transmissions = 0;
    let waitMs = pace.retransmitMs;
    let timer: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(timer);
      stopListening();
      signal?.removeEventListener('abort', fail);
    };
    const fail = (): void => {
      finish();
      reject(timeoutError(deadline, request.what));
    };
    const transmitOrFail = (): void => {
      const remainingMs = deadline.atMs - performance.now();
      if (transmissions >= pace.attempts || remainingMs <= 0) {
        fail();
        return;
      }
      transmissions++;
      request.transmit();
      timer = setTimeout(transmitOrFail, Math.min(waitMs, remainingMs));
      waitMs *= backoffFactor;
    };
    const stopListening = request.listen((response) => {
      finish();
      resolve(response);
    }, fail);
    if (signal?.aborted === true) {
      fail();
      return;
    }
    signal?.addEventListener('abort', fail);
    transmitOrFail();
  });
}

/** Waits. Rejects if the deadline passes or its signal aborts first. */
export function pause(waitMs: number, deadline: Deadline, what: string): Promise<void> {
  const { signal } = deadline;
  return new Promise((resolve, reject) => {
    const remainingMs = deadline.atMs - performance.now();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (isPast(deadline)) reject(timeoutError(deadline, what));
      else resolve();
    };
    const timer = setTimeout(end, Math.max(0, Math.min(waitMs, remainingMs)));
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}
