// Time limits for many short calls. An AbortSignal.timeout cannot be cancelled: it still fires seconds after its call has ended,
// which costs more than the call if there are thousands.

export interface TimeLimits extends Disposable {
  run<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Calls end at their limit, or when the signal aborts. */
export function timeLimits(signal: AbortSignal): TimeLimits {
  const running = new Set<AbortController>();
  const abortAll = (): void => {
    for (const controller of running) controller.abort(signal.reason);
  };
  signal.addEventListener('abort', abortAll, { once: true });
  return {
    async run(milliseconds, work) {
      const controller = new AbortController();
      if (signal.aborted) controller.abort(signal.reason);
      const timer = setTimeout(() => controller.abort(new Error('took too long')), milliseconds);
      running.add(controller);
      try {
        return await work(controller.signal);
      } finally {
        clearTimeout(timer);
        running.delete(controller);
      }
    },
    [Symbol.dispose]: () => signal.removeEventListener('abort', abortAll),
  };
}
