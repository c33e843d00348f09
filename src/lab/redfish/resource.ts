// One resource of a lab Redfish service: what it shows, and what may be done to it.
import type { Body, Outcome } from './outcome.ts';

type Answer = Outcome | Promise<Outcome>;

export interface Resource {
  readonly body?: Body;
  readonly patch?: (change: Body) => Answer;
  readonly post?: (body: Body) => Answer;
  readonly remove?: () => Answer;
  /** Only an administrator may change it; an operator may change the others. */
  readonly isProtected?: true;
  /** Anybody may use it, signed in or not. */
  readonly isOpen?: true;
}

/** By path, without a slash at its end. */
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
