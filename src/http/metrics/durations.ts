// Response times by operation and status, as a Prometheus histogram. Counted here and only printed by prom-client,
// which validates and hashes the labels at each observation: that would cost more than authentication.
import type { Metric, Registry } from 'prom-client';

const name = 'hostyard_http_request_seconds';
const help = 'Response time, by operation and status';
const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, Infinity];

interface Series {
  readonly labels: { readonly operation: string; readonly status: number };
  /** One per bound: responses slower than the previous bound and no slower than this one. */
  readonly counts: number[];
  sum: number;
}

export function createDurationHistogram(
  registry: Registry,
): (operation: string, status: number, seconds: number) => void {
  const byOperation = new Map<string, Map<number, Series>>();
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    values: [...byOperation.values()].flatMap((byStatus) => [...byStatus.values()].flatMap(toSamples)),
  });
  // The registry uses only the name and the values of a metric, but its type requires prom-client's own classes.
  registry.registerMetric({ name, get } as unknown as Metric);

  function addSeries(operation: string, status: number): Series {
    const byStatus = byOperation.get(operation) ?? new Map<number, Series>();
    const series = { labels: { operation, status }, counts: bounds.map(() => 0), sum: 0 };
    byOperation.set(operation, byStatus.set(status, series));
    return series;
  }

  return (operation, status, seconds) => {
    const series = byOperation.get(operation)?.get(status) ?? addSeries(operation, status);
    let bucket = 0;
    while (seconds > bounds[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.sum += seconds;
  };
}

function toSamples({ labels, counts, sum }: Series) {
  let total = 0;
  const buckets = bounds.map((bound, index) => ({
    metricName: `${name}_bucket`,
    labels: { le: bound === Infinity ? '+Inf' : bound, ...labels },
    value: (total += counts[index]!),
  }));
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
