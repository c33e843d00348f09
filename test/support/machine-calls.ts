// The calls that tests make on one virtual machine, on both APIs.
import type { Envelope } from './devices.ts';
import { request } from './request.ts';
import type { TestApp } from './app.ts';

/** Whose app and key are known only when the story begins. */
export function machineCalls(
  { service, vmid }: { readonly service: string; readonly vmid: string },
  caller: () => { readonly app: TestApp; readonly key: string },
) {
  return {
    legacy: (path: string, form: Record<string, string> = {}) =>
      request<Envelope>(caller().app, 'POST', path, { key: caller().key, form: { vmid, ...form } }),
    v2: (method: string, path: string, params: Record<string, unknown> = {}) =>
      method === 'GET'
        ? request<Envelope>(caller().app, method, `/v2/device/${path}/${service}`, { key: caller().key, params })
        : request<Envelope>(caller().app, method, `/v2/device/${path}`, {
            key: caller().key,
            params: { service, ...params },
          }),
  };
}
