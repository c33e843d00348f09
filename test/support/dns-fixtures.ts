// Calls to the DNS endpoints that must succeed or must be rejected, with dig as the witness.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { dig } from '#drivers/dns/conformance.ts';
import type { TestApp } from './app.ts';
import { request, requestResult, type Envelope, type ErrorResult } from './request.ts';
import { until } from './until.ts';

export interface ListedRecord {
  id: string;
  domain_id: string;
  name: string;
  type: string;
  content: string;
  ttl: string;
}
export interface Difference {
  added: Record<string, string>[];
  removed: Record<string, string>[];
  applied: boolean;
  serial: string;
}
type Params = Record<string, unknown>;

export function dnsCalls(server: { url: string }, key: string) {
  const call = <Result>(method: string, path: string, params: Params) =>
    requestResult<Result>(server, method, path, { key, params });
  return {
    call,
    async assertRejected(expected: number, method: string, path: string, params: Params): Promise<ErrorResult> {
      const { status, body } = await request<Envelope<ErrorResult>>(server, method, path, { key, params });
      assert.equal(status, expected, `${method} ${path} ${JSON.stringify(params)}: ${JSON.stringify(body)}`);
      return body.result;
    },
    makeZone: (domain: string) => call<string>('POST', '/v2/dns/domain', { domain }),
    add: (domain: string, record: string, type: string, content: string, more: Params = {}) =>
      call<string>('POST', '/v2/dns/record', { domain, record, type, content, ...more }),
    records: (domain: string) => call<ListedRecord[]>('GET', `/v2/dns/record/${domain}`, {}),
    zoneFile: (domain: string) => call<string>('GET', `/v2/dns/zonefile/${domain}`, {}),
    importFile: (domain: string, zonefile: string, more: Params = {}) =>
      call<Difference>('POST', '/v2/dns/zonefile', { domain, zonefile, ...more }),
    /** Returns the data of the account's newest event of this type about this name. */
    async eventOf(type: string, name: string): Promise<Record<string, string> | undefined> {
      const { events } = await call<{ events: { type: string; data: Record<string, string> }[] }>('GET', '/v2/event', {
        newest: true,
        limit: 1000,
      });
      return events.findLast((event) => event.type === type && event.data['name'] === name)?.data;
    },
    async idOf(domain: string, name: string, type: string): Promise<string> {
      const match = (await this.records(domain)).find((record) => record.name === name && record.type === type);
      assert.ok(match, `${name} ${type}`);
      return match.id;
    },
  };
}

export type DnsCalls = ReturnType<typeof dnsCalls>;

/** Adds the calls of the lab's customer and of a stranger to an app. */
export async function withDnsCalls(opening: Promise<TestApp>) {
  const app = await opening;
  const { customer, stranger } = app.lab;
  return { app, dns: dnsCalls(app, customer.key), stranger: dnsCalls(app, stranger.key) };
}

/** A zone file with one NS record and this number of addresses. */
export function largeZoneFile(
  records: number,
  { block = 1, ttl = 300 }: { block?: number; ttl?: number } = {},
): string {
  const lines = Array.from({ length: records }, (_, index) => {
    const address = `10.${block}.${(index >> 8) & 255}.${index & 255}`;
    return `h${index} ${ttl} A ${address}`;
  });
  return ['@ 3600 NS ns1.example.net.', '@ 3600 NS ns2.example.net.', ...lines, ''].join('\n');
}

export async function readSerial(server: { address: string; port: number }, zone: string): Promise<number> {
  const [soa] = await dig(server, zone, 'SOA');
  return Number(soa?.split(' ')[2]);
}

/** Waits until the name server answers this. Changes by other processes, such as `hostyard apply`, take a moment. */
export async function untilAnswered(answer: () => Promise<string[]>, expected: string[]): Promise<void> {
  await until(async () => isDeepStrictEqual(await answer(), expected), { saw: answer });
}
