// The media listener: where management controllers fetch the images that they put into the drives of servers. It is a listener
// of its own, since controllers reach it and customers need not. A link is good for one mount and leads to one file; everything
// else is a bare 404, so that nobody learns what there is.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { mediaFile, mediaPath } from '#app/images/media-links.ts';
import type { Yard } from '#app/yard.ts';
import type { SiteMedia } from '#contract/site-images.ts';
import { selfSignedCertificate } from '#kernel/certificate.ts';
import type { ListenAddress } from '#kernel/config.ts';
import { sendFile } from './file-reply.ts';
import { withoutSchemas } from '../without-schemas.ts';

export interface MediaServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

const longestName = 256;
const requestMs = 30_000;
const certificateDays = 3650;
const dayMs = 86_400_000;

export async function startMediaServer(yard: Yard, media: SiteMedia, listen: ListenAddress): Promise<MediaServer> {
  const protocol = media.protocol ?? 'https';
  const options = {
    requestTimeout: requestMs,
    exposeHeadRoutes: true,
    schemaController: withoutSchemas,
    routerOptions: { maxParamLength: longestName },
    // These come before every hook.
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => void nothing(reply),
  };
  const http = (
    protocol === 'http' ? fastify(options) : fastify({ ...options, https: identity(yard, media, listen.host) })
  ) as FastifyInstance;
  http.setErrorHandler((error, _request, reply) => {
    yard.log.error({ err: error }, 'the media listener failed');
    return reply.code(503).send();
  });
  http.setNotFoundHandler((_request, reply) => nothing(reply));
  mediaRoutes(http, yard);
  await http.listen(listen);
  const server = http.server as Server;
  const { address, port } = server.address() as AddressInfo;
  return {
    url: media.url ?? `${protocol}://${address.includes(':') ? `[${address}]` : address}:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await http.close();
    },
  };
}

export function mediaRoutes(http: FastifyInstance, yard: Yard): void {
  http.get<{ Params: { secret: string; name: string } }>(`${mediaPath}/:secret/:name`, async (request, reply) => {
    const file = await mediaFile(yard, request.params.secret, request.params.name);
    return file === undefined ? nothing(reply) : sendFile(request, reply, file);
  });
}

function nothing(reply: FastifyReply): FastifyReply {
  return reply.code(404).send();
}

function identity(yard: Yard, { certificate, key, url }: SiteMedia, host: string): { cert: string; key: string } {
  if (certificate !== undefined && key !== undefined)
    return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  const named = URL.parse(url ?? '')?.hostname.replace(/^\[|\]$/g, '');
  const own = selfSignedCertificate({
    name: 'Hostyard media',
    hosts: [host, ...(named === undefined ? [] : [named])],
    // A controller whose clock is slow would not take one that begins only now.
    notBefore: new Date(yard.clock.now() - dayMs),
    days: certificateDays,
  });
  return { cert: own.certificate, key: own.key };
}
