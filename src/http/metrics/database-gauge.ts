// Gauges read from the database at scrape time. Each is collected independently and with a timeout, because metrics
// matter most while the database is failing.
import { Gauge, type Registry } from 'prom-client';
import type { App } from '#app/app.ts';

const timeoutMs = 2000;

export interface DatabaseGauge<Label extends string, Value> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: Label[];
  readonly query: () => Promise<Value>;
  readonly set: (gauge: Gauge<Label>, value: Value) => void;
}

export function addDatabaseGauge<Label extends string, Value>(
  registry: Registry,
  app: App,
  { name, help, labelNames = [], query, set }: DatabaseGauge<Label, Value>,
): void {
  const gauge: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      gauge.reset();
      const timeout = Promise.withResolvers<never>();
      const timer = setTimeout(() => timeout.reject(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs);
      try {
        set(gauge, await Promise.race([query(), timeout.promise]));
      } catch (error) {
        app.log.warn({ err: error, metric: name }, 'cannot collect a metric');
      } finally {
        clearTimeout(timer);
      }
    },
  });
}
