// Which methods a URL has, for requests with another one. A route for each of the other methods would do the same, but
// there would be five times as many routes, and the server would take longer to start and need more memory.
import { methodsOf, type RouteTable } from './routes.ts';

export interface AllowedMethods {
  /** Returns the methods of the URL that this path matches, undefined if it matches none. */
  ofPath(path: string): readonly string[] | undefined;
  /** Returns the methods that the router would send to another URL with a parameter in this place. */
  ofOverlapping(url: string): string[];
}

export function createAllowedMethods(table: RouteTable): AllowedMethods {
  const patterns = [...table]
    .filter(([url]) => url.includes('/:'))
    .map(([url, operations]) => ({ url, segments: url.split('/'), methods: methodsOf(operations) }));
  const matching = (path: string) => {
    const segments = path.split('/');
    return patterns.filter(({ segments: pattern }) => matches(segments, pattern));
  };
  return {
    ofPath(path) {
      const exact = table.get(path);
      return exact === undefined ? matching(path)[0]?.methods : methodsOf(exact);
    },
    ofOverlapping: (url) => [
      ...new Set(matching(url).flatMap((pattern) => (pattern.url === url ? [] : pattern.methods))),
    ],
  };
}

function matches(segments: readonly string[], pattern: readonly string[]): boolean {
  return (
    segments.length === pattern.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}
