// Metrics that are looked up in the database when they are asked for. Those of the process are wanted most when the database does
// not answer, so none of these may fail the others, or keep them waiting.
import type { Yard } from '#app/yard.ts';

const withinMs = 2000;

export async function lookedUp<T>(
  yard: Yard,
  metric: string,
  look: Promise<T>,
  tell: (found: T) => void,
): Promise<void> {
  const waiting = Promise.withResolvers<never>();
  const timer = setTimeout(() => waiting.reject(new Error(`nothing within ${withinMs} ms`)), withinMs);
  try {
    tell(await Promise.race([look, waiting.promise]));
  } catch (error) {
    yard.log.warn({ err: error, metric }, 'it could not be looked up');
  } finally {
    clearTimeout(timer);
  }
}
