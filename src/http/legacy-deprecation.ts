// Deprecation headers of the legacy API once the provider has set a date for its end: `Deprecation` (RFC 9745),
// `Sunset` (RFC 8594) and links to the successor. Operations without an equivalent in v2 are not deprecated.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v2 } from '#contract/contract.ts';
import { legacyEquivalents } from '#contract/legacy-equivalents.ts';
import { legacyEndFind, type LegacyEnd } from '#app/site/legacy-end.ts';
import type { App } from '#app/app.ts';

/** How long the dates are cached. */
const cacheMs = 5000;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Returns a function that creates the hook of a legacy operation, or undefined if the operation is not deprecated. */
export function createLegacyDeprecation(app: App): (operation: string) => Hook | undefined {
  let end: LegacyEnd | undefined;
  let readAt = -Infinity;

  async function read(): Promise<void> {
    readAt = app.clock.now();
    // An unavailable database must not fail a request because of a date.
    end = await legacyEndFind(app.store.queries).catch(() => end);
  }

  return (operation) => {
    const [equivalent] = legacyEquivalents[operation as keyof typeof legacyEquivalents].operations;
    if (equivalent === undefined) return undefined;
    const successor = `<${v2[equivalent].path.replaceAll(/\/\{\w+\}/g, '')}>; rel="successor-version"`;
    return (_, reply, done) => {
      const addHeaders = (): void => {
        if (end !== undefined) void reply.headers(deprecationHeaders(end, successor));
        done();
      };
      if (Math.abs(app.clock.now() - readAt) < cacheMs) addHeaders();
      else void read().then(addHeaders);
    };
  };
}

function deprecationHeaders(
  { deprecated, sunset, page = '/docs' }: LegacyEnd,
  successor: string,
): Record<string, string> {
  const links = [
    `<${page}>; rel="deprecation"`,
    ...(sunset === undefined ? [] : [`<${page}>; rel="sunset"`]),
    successor,
  ];
  return {
    deprecation: `@${Date.parse(deprecated) / 1000}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
    link: links.join(', '),
  };
}
