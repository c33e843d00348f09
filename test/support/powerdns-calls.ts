// Calls to the PowerDNS-compatible API.
import { request, type RequestOptions } from './request.ts';

export const zonesPath = '/api/v1/servers/localhost/zones';

export interface ApiRrset {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly { readonly content: string; readonly disabled: boolean }[];
}
export interface ApiZone {
  readonly id: string;
  readonly serial: number;
  readonly rrsets: readonly ApiRrset[];
}

/** A set of a PATCH; without contents, it is deleted. */
export function replaceSet(name: string, type: string, ...contents: string[]) {
  const records = contents.map((content) => ({ content, disabled: false }));
  return { changetype: 'REPLACE', name, type, ttl: 120, records };
}

export function powerdnsCalls(server: { url: string }, key: string) {
  const call = <Body>(method: string, path: string, params?: object, headers: RequestOptions['headers'] = {}) =>
    request<Body>(server, method, path, { key, headers, ...(params && { params: { ...params } }) });
  const getZone = async (zone: string, query = ''): Promise<ApiZone> =>
    (await call<ApiZone>('GET', `${zonesPath}/${zone}${query}`)).body;
  return {
    call,
    getZone,
    patch: (zone: string, ...rrsets: object[]) => call<{ error?: string }>('PATCH', `${zonesPath}/${zone}`, { rrsets }),
    /** Returns the contents of a set, sorted. */
    async contentsOf(zone: string, name: string, type: string): Promise<string[]> {
      const sets = (await getZone(zone)).rrsets.filter((set) => set.name === name && set.type === type);
      return sets.flatMap(({ records }) => records.map(({ content }) => content)).sort();
    },
  };
}
