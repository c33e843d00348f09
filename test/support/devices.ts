// A customer's dedicated server in a test yard: the calls that stories make on it, and its simulator.
import assert from 'node:assert/strict';
import type { LabBmc } from '#lab/bmc/bmc.ts';
import { request, type Answer } from './request.ts';
import { openTestYard, type TestYard, type TestYardOptions } from './yard.ts';

/** As either face answers: the text of a refusal is the result itself in legacy, its `message` in v2. */
export interface Told {
  success: boolean;
  results: number;
  result: unknown;
}

export interface TestDevice extends AsyncDisposable {
  readonly yard: TestYard;
  readonly bmc: LabBmc;
  readonly service: string;
  readonly server: string;
  v2(method: string, path: string, params?: Record<string, unknown>, key?: string): Promise<Answer<Told>>;
  legacy(path: string, form?: Record<string, string>, key?: string): Promise<Answer<Told>>;
  /** What the account was told of this device's power, oldest first. */
  powerEvents(): Promise<{ state: string; source: string }[]>;
}

export async function openDevice(options: TestYardOptions = {}): Promise<TestDevice> {
  const yard = await openTestYard({ worksOffJobs: true, ...options });
  return deviceOf(yard);
}

export function deviceOf(yard: TestYard): TestDevice {
  const { service, server } = yard.lab.dedicated;
  const { key: own } = yard.lab.customer;
  const v2: TestDevice['v2'] = (method, path, params = {}, key = own) => {
    const inPath = method === 'GET' ? `/${service}` : '';
    const all = method === 'GET' ? params : { service, ...params };
    return request<Told>(yard, method, `/v2/device/${path}${inPath}`, { key, params: all });
  };
  return {
    yard,
    bmc: yard.equipment.bmcs.find((each) => each.server === server)!.simulator,
    service,
    server,
    v2,
    legacy: (path, form = {}, key = own) => request<Told>(yard, 'POST', path, { key, form: { server, ...form } }),
    async powerEvents() {
      const answer = await request<{ result: { events: { type: string; data: { state: string; source: string } }[] } }>(
        yard,
        'GET',
        '/v2/event',
        { key: own },
      );
      return answer.body.result.events.filter(({ type }) => type === 'device.power.changed').map(({ data }) => data);
    },
    [Symbol.asyncDispose]: () => yard[Symbol.asyncDispose](),
  };
}

export function succeeds(answer: Answer<Told>, result: unknown): void {
  assert.deepEqual([answer.status, answer.body.result], [200, result]);
}

export function refused(answer: Answer<Told>, status: number, code?: string): string {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  const { result } = answer.body as { result: string | { code: string; message: string } };
  if (typeof result === 'string') return result;
  if (code !== undefined) assert.equal(result.code, code);
  return result.message;
}
