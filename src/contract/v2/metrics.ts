// Version 2, our addition: metrics of all services, for the customer's own Prometheus.
import { endpoint } from '../endpoint.ts';
import { File } from '../shapes/file.ts';

export const metricsV2 = {
  metricsGet: endpoint({
    method: 'GET',
    path: '/v2/metrics',
    tag: 'device',
    access: 'device:read',
    addition: true,
    cost: 25,
    summary: 'Get metrics of all services for Prometheus',
    description:
      'In Prometheus’ text format: power, processor, memory, disk and network of virtual machines, and power, network and sensors of dedicated servers, as they were last recorded. They change every five minutes, so scrape them every minute or less often. What is unknown is absent.',
    file: 'text/plain; version=0.0.4; charset=utf-8',
    result: File,
  }),
} as const;
