// Metrics read from the database at scrape time. Each is collected independently and with a timeout, because metrics
// matter most while the database is failing.
import type { App } from '#app/app.ts';

const timeoutMs = 2000;

export async function collectFromDatabase<T>(
  app: App,
  metric: string,
  query: Promise<T>,
  setMetric: (value: T) => void,
): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs);
  try {
    setMetric(await Promise.race([query, timeout.promise]));
  } catch (error) {
    app.log.warn({ err: error, metric }, 'cannot collect a metric');
  } finally {
    clearTimeout(timer);
  }
}
