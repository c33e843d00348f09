// The route table, derived from the contract: which operation serves which URL and method.
import { servedApis, type ServedApi } from '#contract/contract.ts';
import { effectOf, type Endpoint, type Method } from '#contract/endpoint.ts';
import { pathForms } from '#contract/paths.ts';

export interface Operation {
  readonly api: ServedApi;
  readonly name: string;
  readonly endpoint: Endpoint;
}
/** URL in the router's syntax (`/v2/device/power/:service`) to method to operation. */
export type RouteTable = ReadonlyMap<string, ReadonlyMap<Method, Operation>>;

export function createRouteTable(): RouteTable {
  const table = new Map<string, Map<Method, Operation>>();
  const add = (url: string, method: Method, operation: Operation): void => {
    const methods = table.get(url) ?? new Map<Method, Operation>();
    const other = methods.get(method);
    if (other !== undefined) throw new Error(`${method} ${url} is declared by ${other.name} and ${operation.name}`);
    table.set(url, methods.set(method, operation));
  };
  for (const operation of listOperations()) {
    for (const { path } of pathForms(operation.endpoint)) {
      add(path.replaceAll(/\{(\w+)\}/g, ':$1'), operation.endpoint.method, operation);
    }
  }
  // The legacy document says that every request is a POST, so URLs listed only as GET also accept POST.
  for (const [url, methods] of table) {
    const read = methods.get('GET');
    if (read?.api === 'legacy' && !methods.has('POST')) add(url, 'POST', read);
  }
  return table;
}

/** Returns the methods of a URL. HEAD is one unless it would act like the GET, whose outcome would be lost. */
export function methodsOf(operations: ReadonlyMap<Method, Operation>): string[] {
  const get = operations.get('GET');
  return [...operations.keys(), ...(get !== undefined && isReadOnly(get) ? ['HEAD'] : [])];
}

export function isReadOnly({ endpoint }: Operation): boolean {
  return effectOf(endpoint) === 'none';
}

function listOperations(): Operation[] {
  return Object.entries(servedApis).flatMap(([api, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      api: api as ServedApi,
      name,
      endpoint: endpoint as Endpoint,
    })),
  );
}
