// The page to return to after signing in, which is part of the sign-in page's address.
import type { Portal } from '../data/session.ts';

/** Matches a path within this site: `//host` and `/\\host` lead to another one, and browsers ignore control characters. */
const pathPattern = /^\/(?![/\\])[^\p{Control}]*$/u;
const maxLength = 2000;

/** Returns the path, or undefined for anything that is not a page of the panel. */
function parseReturnPath(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxLength && pathPattern.test(value) ? value : undefined;
}

/** Returns the path of a page to come back to; none for the start page, which opens anyway. */
export function returnPathTo(href: string): { readonly from?: string } {
  return /^\/(?:staff\/?)?$/.test(href) ? {} : { from: href };
}

/** Returns where the person goes after signing in: the page they came for, if it belongs to their portal, or the start page. */
export function pathAfterSignIn(portal: Portal, from: unknown): string {
  const path = parseReturnPath(from);
  const isOfPortal = path !== undefined && /^\/staff(?![\w-])/.test(path) === (portal === 'staff');
  return isOfPortal ? path : portal === 'staff' ? '/staff' : '/';
}
