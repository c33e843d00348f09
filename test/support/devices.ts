// A customer's dedicated server in a test app: the calls that tests make on it, and its simulator.
import assert from 'node:assert/strict';
import type { LabBmc } from '#lab/bmc/bmc.ts';
import { listEvents } from './event-stream.ts';
import { request, type Envelope, type TestResponse } from './request.ts';
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts';

export interface TestDevice extends AsyncDisposable {
  readonly app: TestApp;
  readonly bmc: LabBmc;
  readonly service: string;
  readonly server: string;
  v2(method: string, path: string, params?: Record<string, unknown>, key?: string): Promise<TestResponse<Envelope>>;
  legacy(path: string, form?: Record<string, string>, key?: string): Promise<TestResponse<Envelope>>;
  /** The account's power events for this device, oldest first. */
  powerEvents(): Promise<{ state: string; source: string }[]>;
}

export async function openDevice(options: TestAppOptions = {}): Promise<TestDevice> {
  const app = await openTestApp({ worksOffJobs: true, ...options });
  return deviceOf(app);
}

/** Calls an endpoint of `/v2/device` for one service, which a GET names in its path. */
export function requestDevice(
  server: { url: string },
  method: string,
  path: string,
  { service, key, params }: { service: string; key: string; params: Record<string, unknown> },
): Promise<TestResponse<Envelope>> {
  return method === 'GET'
    ? request<Envelope>(server, method, `/v2/device/${path}/${service}`, { key, params })
    : request<Envelope>(server, method, `/v2/device/${path}`, { key, params: { service, ...params } });
}

export function deviceOf(app: TestApp): TestDevice {
  const { service, server } = app.lab.dedicated;
  const { key: own } = app.lab.customer;
  return {
    app,
    bmc: app.equipment.bmcs.find((candidate) => candidate.server === server)!.simulator,
    service,
    server,
    v2: (method, path, params = {}, key = own) => requestDevice(app, method, path, { service, key, params }),
    legacy: (path, form = {}, key = own) => request<Envelope>(app, 'POST', path, { key, form: { server, ...form } }),
    async powerEvents() {
      const events = await listEvents<{ state: string; source: string }>(app, own);
      return events.filter(({ type }) => type === 'device.power.changed').map(({ data }) => data);
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

export function assertResult(response: TestResponse<Envelope>, result: unknown): void {
  assert.deepEqual([response.status, response.body.result], [200, result]);
}

export function assertRejected(response: TestResponse<Envelope>, status: number, code?: string): string {
  assert.equal(response.status, status, JSON.stringify(response.body));
  const { result } = response.body as { result: string | { code: string; message: string } };
  if (typeof result === 'string') return result;
  if (code !== undefined) assert.equal(result.code, code);
  return result.message;
}
