// The notice in answers of the legacy interface, where the provider has set a date for its end: `Deprecation` (RFC 9745), `Sunset`
// (RFC 8594) and links to what comes after it. An operation without a twin in version 2 is not told to be over.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v2 } from '#contract/contract.ts';
import { twins } from '#contract/twins.ts';
import { legacyEndFind, type LegacyEnd } from '#app/site/legacy-end.ts';
import type { Yard } from '#app/yard.ts';

/** How old the dates may be that an answer carries. */
const rememberedMs = 5000;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Answers the hook of a legacy operation; nothing where it stays. */
export function legacyNotices(yard: Yard): (operation: string) => Hook | undefined {
  let end: LegacyEnd | undefined;
  let readAt = -Infinity;

  async function read(): Promise<void> {
    readAt = yard.clock.now();
    // A database that does not answer is no reason to refuse on account of a date.
    end = await legacyEndFind(yard.store.queries).catch(() => end);
  }

  return (operation) => {
    const [twin] = twins[operation as keyof typeof twins].operations;
    if (twin === undefined) return undefined;
    const successor = `<${v2[twin].path.replaceAll(/\/\{\w+\}/g, '')}>; rel="successor-version"`;
    return (_, reply, done) => {
      const tell = (): void => {
        if (end !== undefined) void reply.headers(noticeOf(end, successor));
        done();
      };
      if (Math.abs(yard.clock.now() - readAt) < rememberedMs) tell();
      else void read().then(tell);
    };
  };
}

function noticeOf({ deprecated, sunset, page = '/docs' }: LegacyEnd, successor: string): Record<string, string> {
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
