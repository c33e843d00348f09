// A resource of a lab Redfish service: its body and the operations it supports.
import type { Body, RedfishResponse } from './response.ts';

type Result = RedfishResponse | Promise<RedfishResponse>;

export interface Resource {
  readonly body?: Body;
  /** A collection with its members, for clients that ask for `$expand`. */
  readonly expanded?: Body;
  readonly patch?: (change: Body) => Result;
  readonly post?: (body: Body) => Result;
  readonly remove?: () => Result;
  /** Only administrators can change it; operators can change all others. */
  readonly isProtected?: true;
  /** Accessible without authentication. */
  readonly isOpen?: true;
}

/** By path, without a trailing slash. */
export type Resources = Readonly<Record<string, Resource>>;

export const root = '/redfish/v1';

export function link(path: string): Body {
  return { '@odata.id': path };
}

export function collection(path: string, type: string, members: readonly string[]): Resource {
  return { body: collectionBody(path, type, members) };
}

export function collectionBody(path: string, type: string, members: readonly string[]): Body {
  return {
    '@odata.id': path,
    '@odata.type': `#${type}Collection.${type}Collection`,
    Name: `${type} Collection`,
    'Members@odata.count': members.length,
    Members: members.map(link),
  };
}

/** Returns the properties that every resource has, and its own. `type` includes the version of the schema. */
export function resourceBody(path: string, type: string, name: string, properties: Body = {}): Body {
  const [schema] = type.split('.');
  return {
    '@odata.id': path,
    '@odata.type': `#${type}.${schema}`,
    Id: path.split('/').at(-1)!,
    Name: name,
    ...properties,
  };
}
