// Calls to the network endpoints, and their events.
import { listEvents, type StreamedData } from './event-stream.ts';
import { request, type Envelope, type TestResponse } from './request.ts';
import type { TestApp } from './app.ts';

export interface NetworkCalls {
  v2(method: string, path: string, params?: Record<string, unknown>, key?: string): Promise<TestResponse<Envelope>>;
  legacy(path: string, form?: Record<string, string>, key?: string): Promise<TestResponse<Envelope>>;
  events(type: string): Promise<StreamedData[]>;
}

export function networkCalls(app: TestApp): NetworkCalls {
  const { key: own } = app.lab.customer;
  return {
    v2: (method, path, params = {}, key = own) => request<Envelope>(app, method, path, { key, params }),
    legacy: (path, form = {}, key = own) =>
      request<Envelope>(app, 'POST', path, { key, form: { server: app.lab.dedicated.server, ...form } }),
    events: (type) => listEvents(app, own, { type }),
  };
}
