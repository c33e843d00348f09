// Calls of a network story, and its events.
import type { EventValue } from '#contract/shapes/event.ts';
import type { Told } from './devices.ts';
import { request, type Answer } from './request.ts';
import type { TestYard } from './yard.ts';

export interface NetworkCalls {
  v2(method: string, path: string, params?: Record<string, unknown>, key?: string): Promise<Answer<Told>>;
  legacy(path: string, form?: Record<string, string>, key?: string): Promise<Answer<Told>>;
  events(type: string): Promise<EventValue[]>;
}

export function networkCalls(yard: TestYard): NetworkCalls {
  const { key: own } = yard.lab.customer;
  return {
    v2: (method, path, params = {}, key = own) => request<Told>(yard, method, path, { key, params }),
    legacy: (path, form = {}, key = own) =>
      request<Told>(yard, 'POST', path, { key, form: { server: yard.lab.dedicated.server, ...form } }),
    async events(type) {
      const params = { type };
      const { body } = await request<{ result: { events: EventValue[] } }>(yard, 'GET', '/v2/event', {
        key: own,
        params,
      });
      return body.result.events;
    },
  };
}
