// Calls to the DNS endpoints that must succeed or must be rejected, with dig as the witness.
import assert from 'node:assert/strict';
import { dig } from '#drivers/dns/conformance.ts';
import { request, requestResult, type Envelope, type ErrorResult } from './request.ts';

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
    async idOf(domain: string, name: string, type: string): Promise<string> {
      const match = (await this.records(domain)).find((record) => record.name === name && record.type === type);
      assert.ok(match, `${name} ${type}`);
      return match.id;
    },
  };
}

export async function readSerial(server: { address: string; port: number }, zone: string): Promise<number> {
  const [soa] = await dig(server, zone, 'SOA');
  return Number(soa?.split(' ')[2]);
}
