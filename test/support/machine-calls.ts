// The calls that a story makes on one virtual machine, on both interfaces.
import type { Told } from './devices.ts';
import { request } from './request.ts';
import type { TestYard } from './yard.ts';

/** Whose yard and key are known only when the story begins. */
export function machineCalls(
  { service, vmid }: { readonly service: string; readonly vmid: string },
  caller: () => { readonly yard: TestYard; readonly key: string },
) {
  return {
    legacy: (path: string, form: Record<string, string> = {}) =>
      request<Told>(caller().yard, 'POST', path, { key: caller().key, form: { vmid, ...form } }),
    v2: (method: string, path: string, params: Record<string, unknown> = {}) =>
      method === 'GET'
        ? request<Told>(caller().yard, method, `/v2/device/${path}/${service}`, { key: caller().key, params })
        : request<Told>(caller().yard, method, `/v2/device/${path}`, {
            key: caller().key,
            params: { service, ...params },
          }),
  };
}
