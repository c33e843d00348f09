// The route table, worked out from the contract: which URL answers which method with which operation.
import { faces, type FaceName } from '#contract/contract.ts';
import type { Endpoint, Method } from '#contract/endpoint.ts';
import { pathForms } from '#contract/paths.ts';

export interface Operation {
  readonly face: FaceName;
  readonly name: string;
  readonly endpoint: Endpoint;
}
/** URL in the router's spelling (`/v2/device/power/:service`), then method. */
export type RouteTable = ReadonlyMap<string, ReadonlyMap<Method, Operation>>;

export function routeTable(): RouteTable {
  const table = new Map<string, Map<Method, Operation>>();
  const add = (url: string, method: Method, operation: Operation): void => {
    const methods = table.get(url) ?? new Map<Method, Operation>();
    const taken = methods.get(method);
    if (taken !== undefined) throw new Error(`${method} ${url} is declared by ${taken.name} and ${operation.name}`);
    table.set(url, methods.set(method, operation));
  };
  for (const operation of allOperations()) {
    for (const { path } of pathForms(operation.endpoint)) {
      add(path.replaceAll(/\{(\w+)\}/g, ':$1'), operation.endpoint.method, operation);
    }
  }
  // The legacy document says that every request is a POST: a URL that is listed only as GET answers POST the same way.
  for (const [url, methods] of table) {
    const read = methods.get('GET');
    if (read?.face === 'legacy' && !methods.has('POST')) add(url, 'POST', read);
  }
  return table;
}

export function allOperations(): Operation[] {
  return Object.entries(faces).flatMap(([face, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      face: face as FaceName,
      name,
      endpoint: endpoint as Endpoint,
    })),
  );
}
