// Calls to the network endpoints, and their events.
import type { EventValue } from '#contract/shapes/event.ts';
import type { Envelope } from './devices.ts';
import { request, type TestResponse } from './request.ts';
import type { TestApp } from './app.ts';

export interface NetworkCalls {
  v2(method: string, path: string, params?: Record<string, unknown>, key?: string): Promise<TestResponse<Envelope>>;
  legacy(path: string, form?: Record<string, string>, key?: string): Promise<TestResponse<Envelope>>;
  events(type: string): Promise<EventValue[]>;
}

export function networkCalls(app: TestApp): NetworkCalls {
  const { key: own } = app.lab.customer;
  return {
    v2: (method, path, params = {}, key = own) => request<Envelope>(app, method, path, { key, params }),
    legacy: (path, form = {}, key = own) =>
      request<Envelope>(app, 'POST', path, { key, form: { server: app.lab.dedicated.server, ...form } }),
    async events(type) {
      const params = { type };
      const { body } = await request<{ result: { events: EventValue[] } }>(app, 'GET', '/v2/event', {
        key: own,
        params,
      });
      return body.result.events;
    },
  };
}
