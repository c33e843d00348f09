// The boot server: what the provider's servers fetch when they boot from the network. It is a listener of its own, since
// servers reach it and customers need not. A server is known by its card or its UUID and gets a script; everything further
// has the secret of that one boot in its link. To whoever has no business here there is nothing: a script that boots the disk,
// or a bare 404.
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { bootOrderFor, bootOrderOf, bootPasswordFetched, bootReport, type BootOrder } from '#app/reload/boot.ts';
import { FileUnusable, type LocalFile } from '#app/reload/file-cache.ts';
import { diskScript, firstStage } from '#app/reload/install/ipxe.ts';
import { renderBoot } from '#app/reload/install/render.ts';
import type { RenderedBoot } from '#app/reload/install/input.ts';
import type { Yard } from '#app/yard.ts';
import type { SiteBoot } from '#contract/site-systems.ts';
import type { ListenAddress } from '#kernel/config.ts';
import { sendFile } from '../files/file-reply.ts';
import { withoutSchemas } from '../without-schemas.ts';
import { readReport } from './report.ts';

export interface BootServerOptions {
  readonly listen: ListenAddress;
  /** `url` is how servers reach it; by the name under which they asked unless told. */
  readonly boot: Pick<SiteBoot, 'url'>;
}
export interface BootServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
}

const largestReport = 4096;
const requestMs = 30_000;
/** Of an image that is streamed, what is told of how much of it has gone. Writing it takes the rest. */
const streamedPercent = 90;
const streamedStep = 5;

type Asked = FastifyRequest<{
  Params: { id?: string; secret?: string; file?: string };
  Querystring: Record<string, string>;
}>;

export async function startBootServer(yard: Yard, options: BootServerOptions): Promise<BootServer> {
  const http = fastify({
    bodyLimit: largestReport,
    requestTimeout: requestMs,
    exposeHeadRoutes: true,
    schemaController: withoutSchemas,
    // A path that is too long, or no path at all.
    frameworkErrors: (_error, _request, reply) => void nothing(reply as FastifyReply),
  });
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  http.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) yard.log.error({ err: error }, 'the boot server failed');
    return reply.code(status >= 500 ? 503 : status).send();
  });
  http.setNotFoundHandler((_request, reply) => nothing(reply));
  routes(http, yard, options);
  await http.listen(options.listen);
  const { address, port } = http.server.address() as AddressInfo;
  return {
    address,
    port,
    async [Symbol.asyncDispose]() {
      http.server.closeAllConnections();
      await http.close();
    },
  };
}

function routes(http: FastifyInstance, yard: Yard, options: BootServerOptions): void {
  const urlOf = (request: FastifyRequest): string => (options.boot.url ?? `http://${request.host}`).replace(/\/$/, '');
  const baseOf = (request: FastifyRequest, secret: string): string => `${urlOf(request)}/boot/${secret}`;

  const scriptFor = async (request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
    const { id = '' } = request.params;
    const { mac = id, uuid = id } = request.query;
    const order = await bootOrderFor(yard, { mac: String(mac), ...(isUuid(uuid) ? { uuid } : {}) });
    const rendered = order && (await render(yard, order, baseOf(request, order.secret)));
    return reply.type('text/plain').send(rendered?.script ?? diskScript);
  };
  http.get('/boot/first.ipxe', (request, reply) => reply.type('text/plain').send(firstStage(urlOf(request))));
  http.get('/boot/ipxe', scriptFor);
  http.get('/boot/ipxe/:id', scriptFor);

  const report = async (request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
    const said = readReport(typeof request.body === 'string' ? request.body : '', request.query);
    if (said === undefined) return reply.code(400).send();
    const taken = await bootReport(yard, request.params.secret ?? '', said);
    return taken === 'taken' ? reply.code(204).send() : nothing(reply);
  };
  http.get('/boot/:secret/report', { exposeHeadRoute: false }, report);
  http.post('/boot/:secret/report', report);

  http.get('/boot/:secret/:file', async (request: Asked, reply) => {
    const { secret = '', file = '' } = request.params;
    const order = await bootOrderOf(yard, secret);
    if (order === undefined) return nothing(reply);
    const source = file === 'kernel' || file === 'initrd' || file === 'image' ? order.system.source?.[file] : undefined;
    if (source !== undefined) {
      const found = await yard.files.find(source).catch((error: unknown) => unusable(yard, error));
      return found === undefined
        ? nothing(reply)
        : sendBootFile(yard, request, reply, found, file === 'image' ? secret : undefined);
    }
    const rendered = await render(yard, order, baseOf(request, secret));
    const text = rendered !== undefined && Object.hasOwn(rendered.files, file) ? rendered.files[file] : undefined;
    const holdsPassword = file === rendered?.passwordFile;
    if (text === undefined || (holdsPassword && order.install.passwordHash === '')) return nothing(reply);
    if (holdsPassword && request.method === 'GET') await bootPasswordFetched(yard, secret);
    return reply.type('text/plain').send(text);
  });
}

/** Nothing where the provider's files are not what they should be: the server then boots its disk, and the log says why. */
async function render(yard: Yard, order: BootOrder, base: string): Promise<RenderedBoot | undefined> {
  try {
    const { image } = order.system.source ?? {};
    const imageSha256 = image === undefined ? '' : (await yard.files.find(image)).sha256;
    return renderBoot({ ...order, imageSha256 }, base);
  } catch (error) {
    return unusable(yard, error);
  }
}

function unusable(yard: Yard, error: unknown): undefined {
  if (!(error instanceof FileUnusable)) throw error;
  yard.log.error({ err: error }, 'a file for network boot is not usable');
  return undefined;
}

function sendBootFile(
  yard: Yard,
  request: FastifyRequest,
  reply: FastifyReply,
  file: LocalFile,
  following: string | undefined,
): FastifyReply {
  if (following === undefined) return sendFile(request, reply, file);
  const telling = followed(file.sizeBytes, (percent) => {
    bootReport(yard, following, { phase: 'Installing', percent }).catch((error: unknown) =>
      yard.log.warn({ err: error }, 'progress of an installation was not kept'),
    );
  });
  return sendFile(request, reply, file, telling);
}

/** Tells how much has gone, in a few steps. */
function followed(sizeBytes: number, tell: (percent: number) => void): Transform {
  let sent = 0;
  let told = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      sent += chunk.length;
      const percent = Math.floor((sent / sizeBytes) * (streamedPercent / streamedStep)) * streamedStep;
      if (percent > told) tell(percent);
      told = Math.max(told, percent);
      next(null, chunk);
    },
  });
}

function nothing(reply: FastifyReply): FastifyReply {
  return reply.code(404).send();
}

function isUuid(text: string): boolean {
  return /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(text);
}
