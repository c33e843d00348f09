// The media listener, where BMCs fetch the images for the virtual drives of servers. A separate listener, because BMCs
// must reach it and customers must not. A link is valid for one mount of one file; everything else is a bare 404, which
// reveals nothing.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { mediaFile, mediaPath, recordFetch } from '#app/images/media-links.ts';
import type { App } from '#app/app.ts';
import type { SiteMedia } from '#contract/site/images.ts';
import { selfSignedCertificate } from '#lib/certificate.ts';
import { hostAndPort, type ListenAddress } from '#lib/config.ts';
import { dayMs } from '#lib/time.ts';
import { limitConnections } from '../connection-limit.ts';
import { sendFile, sendNotFound } from './send-file.ts';
import { noSchemaCompilers } from '../no-schema-compilers.ts';

export interface MediaServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

const maxNameLength = 256;
const requestMs = 30_000;
/** Far more than the BMCs behind one address need. Each download takes two of the files that this process can open. */
const connectionsPerAddress = 1000;
const certificateDays = 3650;

export async function startMediaServer(app: App, media: SiteMedia, listen: ListenAddress): Promise<MediaServer> {
  const protocol = media.protocol ?? 'https';
  const options = {
    requestTimeout: requestMs,
    exposeHeadRoutes: true,
    schemaController: noSchemaCompilers,
    routerOptions: { maxParamLength: maxNameLength },
    // These errors happen before any hook runs.
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => void sendNotFound(reply),
  };
  const http = (
    protocol === 'http' ? fastify(options) : fastify({ ...options, https: getIdentity(app, media, listen.host) })
  ) as FastifyInstance;
  http.setErrorHandler((error, _request, reply) => {
    app.log.error({ err: error }, 'the media listener failed');
    return reply.code(503).send();
  });
  http.setNotFoundHandler((_request, reply) => sendNotFound(reply));
  http.get<{ Params: { secret: string; name: string } }>(`${mediaPath}/:secret/:name`, async (request, reply) => {
    const found = await mediaFile(app, request.params.secret, request.params.name);
    if (found === undefined) return sendNotFound(reply);
    const { file, upload } = found;
    const isWhole = request.method === 'GET' && request.headers.range === undefined;
    const through = upload && (await recordFetch(app, upload, file, isWhole ? 'whole' : 'part'));
    return sendFile(request, reply, file, through);
  });
  const server = http.server as Server;
  limitConnections(server, connectionsPerAddress);
  await http.listen(listen);
  const { address, port } = server.address() as AddressInfo;
  return {
    url: media.url ?? `${protocol}://${hostAndPort({ host: address, port })}`,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await http.close();
    },
  };
}

function getIdentity(app: App, { certificate, key, url }: SiteMedia, host: string): { cert: string; key: string } {
  if (certificate !== undefined && key !== undefined)
    return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  const urlHost = URL.parse(url ?? '')?.hostname.replace(/^\[|\]$/g, '');
  const generated = selfSignedCertificate({
    name: 'Hostyard media',
    hosts: [host, ...(urlHost === undefined ? [] : [urlHost])],
    // A BMC whose clock is slow would reject one that is valid only from now.
    notBefore: new Date(app.clock.now() - dayMs),
    days: certificateDays,
  });
  return { cert: generated.certificate, key: generated.key };
}
