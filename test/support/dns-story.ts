// DNS as a story tells it: calls of the API that must succeed, calls that must be refused, and dig as the witness.
import assert from 'node:assert/strict';
import { dig } from '#drivers/dns/conformance.ts';
import { request } from './request.ts';

export interface DnsRecordShown {
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
export interface Refused {
  code: string;
  message: string;
  fields?: Record<string, string>;
}

type Params = Record<string, unknown>;

export function dnsCalls(server: { url: string }, key: string) {
  async function call<Result>(method: string, path: string, params: Params): Promise<Result> {
    const { status, body } = await request<{ result: Result }>(server, method, path, { key, params });
    assert.equal(status, 200, `${method} ${path} ${JSON.stringify(params)}: ${JSON.stringify(body)}`);
    return body.result;
  }
  return {
    call,
    async refused(status: number, method: string, path: string, params: Params): Promise<Refused> {
      const answer = await request<{ result: Refused }>(server, method, path, { key, params });
      assert.equal(
        answer.status,
        status,
        `${method} ${path} ${JSON.stringify(params)}: ${JSON.stringify(answer.body)}`,
      );
      return answer.body.result;
    },
    makeZone: (domain: string) => call<string>('POST', '/v2/dns/domain', { domain }),
    add: (domain: string, record: string, type: string, content: string, more: Params = {}) =>
      call<string>('POST', '/v2/dns/record', { domain, record, type, content, ...more }),
    records: (domain: string) => call<DnsRecordShown[]>('GET', `/v2/dns/record/${domain}`, {}),
    zoneFile: (domain: string) => call<string>('GET', `/v2/dns/zonefile/${domain}`, {}),
    importFile: (domain: string, zonefile: string, more: Params = {}) =>
      call<Difference>('POST', '/v2/dns/zonefile', { domain, zonefile, ...more }),
    async idOf(domain: string, name: string, type: string): Promise<string> {
      const found = (await this.records(domain)).find((record) => record.name === name && record.type === type);
      assert.ok(found, `${name} ${type}`);
      return found.id;
    },
  };
}

export async function serialSeen(server: { address: string; port: number }, zone: string): Promise<number> {
  const [soa] = await dig(server, zone, 'SOA');
  return Number(soa?.split(' ')[2]);
}
