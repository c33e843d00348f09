// One question and its answer over a medium that loses datagrams: send, wait, send again with growing patience, until
// an answer, the last attempt, the deadline or the caller's signal.

import { IpmiError } from './error.ts';

/** How patient an exchange is. */
export interface Pace {
  /** The wait after the first transmission; each further wait is half as long again. */
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
  if (deadline.signal?.aborted !== true) return new IpmiError('timeout', `no answer to ${what}`);
  return new IpmiError('timeout', `${what} was given up by its caller`, { cause: deadline.signal.reason });
}

const patienceGrowth = 1.5;

export interface Exchange<Answer> {
  what: string;
  transmit(): void;
  /** Starts to listen; the answer goes to `answered`. Returns how to stop. */
  listen(answered: (answer: Answer) => void): () => void;
}

export function exchange<Answer>(pace: Pace, deadline: Deadline, question: Exchange<Answer>): Promise<Answer> {
  const { signal } = deadline;
  return new Promise((resolve, reject) => {
    let transmissions = 0;
    let waitMs = pace.retransmitMs;
    let timer: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(timer);
      stopListening();
      signal?.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      finish();
      reject(timeoutError(deadline, question.what));
    };
    const transmitOrGiveUp = (): void => {
      const remainingMs = deadline.atMs - performance.now();
      if (transmissions >= pace.attempts || remainingMs <= 0) {
        giveUp();
        return;
      }
      transmissions++;
      question.transmit();
      timer = setTimeout(transmitOrGiveUp, Math.min(waitMs, remainingMs));
      waitMs *= patienceGrowth;
    };
    const stopListening = question.listen((answer) => {
      finish();
      resolve(answer);
    });
    if (signal?.aborted === true) {
      giveUp();
      return;
    }
    signal?.addEventListener('abort', giveUp);
    transmitOrGiveUp();
  });
}

/** Waits, but not past the deadline; throws when that is over before the wait is. */
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
