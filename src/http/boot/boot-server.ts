// The boot server: what servers fetch when they boot from the network. A separate listener, because servers must reach
// it and customers must not. A server is identified by its MAC address and UUID and gets a script, once; all further links
// contain the secret of that one boot, and work for that server only. Anyone else gets a script that boots the disk, or a
// bare 404.
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { bootOrderFor, bootOrderOf, bootPasswordFetched, bootReport, type BootOrder } from '#app/reload/boot.ts';
import { FileUnusable, type LocalFile } from '#app/reload/file-cache.ts';
import { diskScript, firstStage } from '#app/reload/install/ipxe.ts';
import { renderBoot } from '#app/reload/install/render.ts';
import type { RenderedBoot } from '#app/reload/install/input.ts';
import type { App } from '#app/app.ts';
import type { BootLink } from '#app/reload/boot-claims.ts';
import type { SiteBoot } from '#contract/site/systems.ts';
import { addressText } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import type { ListenAddress } from '#lib/config.ts';
import { createRateLimiter } from '#lib/rate-limits.ts';
import { limitConnections } from '../connection-limit.ts';
import { createFailureBudget } from '../failure-budget.ts';
import { sendFile, sendNotFound } from '../files/send-file.ts';
import { createPipelines } from '../pipelines.ts';
import { noSchemaCompilers } from '../no-schema-compilers.ts';
import { readInstallerReport } from './installer-report.ts';

export interface BootServerOptions {
  readonly listen: ListenAddress;
  /** `url` is how servers reach it; defaults to the host name of the request. */
  readonly boot: Pick<SiteBoot, 'url'>;
}
export interface BootServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
}

const maxReportBytes = 4096;
/** Of one boot. Whoever is root in a rescue system knows its link, and each report is written to the database. */
const reportLimits = { rate: 10, burst: 200 };
const requestMs = 30_000;
/** A disk may be slow, but whoever reads nothing for this long has gone. */
const idleMs = 300_000;
/** No machine takes all files that this process can open: each download needs two. */
const connectionsPerAddress = 1000;
/** Share of the progress that streaming an image accounts for; writing it takes the rest. */
const streamedPercent = 90;
const streamedStep = 5;

type BootRequest = FastifyRequest<{
  Params: { id?: string; secret?: string; file?: string };
  Querystring: Record<string, string>;
}>;

export async function startBootServer(app: App, options: BootServerOptions): Promise<BootServer> {
  const http = fastify({
    bodyLimit: maxReportBytes,
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    exposeHeadRoutes: true,
    schemaController: noSchemaCompilers,
    // For a path that is too long or malformed.
    frameworkErrors: (_error, _request, reply) => void sendNotFound(reply as FastifyReply),
  });
  const addToPipeline = createPipelines(limitConnections(http.server, connectionsPerAddress));
  http.addHook('onRequest', ({ raw }, reply, done) => (addToPipeline(raw, reply.raw) ? done() : void reply.hijack()));
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  http.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    const status = error instanceof ApiError ? error.status : (error.statusCode ?? 500);
    if (status >= 500) app.log.error({ err: error }, 'the boot server failed');
    return reply.code(status >= 500 ? 503 : status).send();
  });
  http.setNotFoundHandler((_request, reply) => sendNotFound(reply));
  addRoutes(http, app, options);
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

function addRoutes(http: FastifyInstance, app: App, options: BootServerOptions): void {
  const urlOf = (request: FastifyRequest): string => (options.boot.url ?? `http://${request.host}`).replace(/\/$/, '');
  const baseOf = (request: FastifyRequest, secret: string): string => `${urlOf(request)}/boot/${secret}`;

  const scriptFor = async (request: BootRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id = '' } = request.params;
    const { mac = id, uuid = '' } = request.query;
    const order = await bootOrderFor(app, { mac: String(mac), uuid: String(uuid), address: sourceOf(request) });
    const rendered = order && (await render(app, order, baseOf(request, order.secret)));
    return reply.type('text/plain').send(rendered?.script ?? diskScript);
  };
  http.get('/boot/first.ipxe', (request, reply) => reply.type('text/plain').send(firstStage(urlOf(request))));
  http.get('/boot/ipxe', scriptFor);
  http.get('/boot/ipxe/:id', scriptFor);

  const limiter = createRateLimiter(() => performance.now());
  const budget = createFailureBudget();
  const report = async (request: BootRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const link = linkOf(request);
    // Not of a network, which the servers share with whoever guesses.
    budget.require(link.address);
    if (!limiter(link.secret, reportLimits).allowed) return reply.code(429).send();
    const progress = readInstallerReport(typeof request.body === 'string' ? request.body : '', request.query);
    if (progress === undefined) return reply.code(400).send();
    const outcome = await bootReport(app, link, progress);
    if (outcome === 'unknown') {
      budget.count(link.address);
      return sendNotFound(reply);
    }
    return reply.code(outcome === 'recorded' ? 204 : 400).send();
  };
  http.get('/boot/:secret/report', { exposeHeadRoute: false }, report);
  http.post('/boot/:secret/report', report);

  http.get('/boot/:secret/:file', async (request: BootRequest, reply) => {
    const { secret = '', file = '' } = request.params;
    const order = await bootOrderOf(app, linkOf(request));
    if (order === undefined) return sendNotFound(reply);
    const source = file === 'kernel' || file === 'initrd' || file === 'image' ? order.system.source?.[file] : undefined;
    if (source !== undefined) {
      const local = await app.files.find(source).catch((error: unknown) => logUnusableFile(app, error));
      return local === undefined
        ? sendNotFound(reply)
        : sendBootFile(app, request, reply, local, file === 'image' ? linkOf(request) : undefined);
    }
    const rendered = await render(app, order, baseOf(request, secret));
    const text = rendered !== undefined && Object.hasOwn(rendered.files, file) ? rendered.files[file] : undefined;
    const holdsPassword = file === rendered?.passwordFile;
    if (text === undefined || (holdsPassword && order.install.passwordHash === '')) return sendNotFound(reply);
    if (holdsPassword && request.method === 'GET') await bootPasswordFetched(app, secret);
    return reply.type('text/plain').send(text);
  });
}

/** Returns undefined if the provider's files are unusable: the server then boots its disk, and the log says why. */
async function render(app: App, order: BootOrder, base: string): Promise<RenderedBoot | undefined> {
  try {
    const { image } = order.system.source ?? {};
    const imageSha256 = image === undefined ? '' : (await app.files.find(image)).sha256;
    return renderBoot({ ...order, imageSha256 }, base);
  } catch (error) {
    return logUnusableFile(app, error);
  }
}

function logUnusableFile(app: App, error: unknown): undefined {
  if (!(error instanceof FileUnusable)) throw error;
  app.log.error({ err: error }, 'a file for network boot is unusable');
  return undefined;
}

function sendBootFile(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  file: LocalFile,
  progressLink: BootLink | undefined,
): FastifyReply {
  if (progressLink === undefined) return sendFile(request, reply, file);
  const tracker = trackProgress(file.sizeBytes, (percent) => {
    bootReport(app, progressLink, { phase: 'Installing', percent }).catch((error: unknown) =>
      app.log.warn({ err: error }, 'cannot record the progress of an installation'),
    );
  });
  return sendFile(request, reply, file, tracker);
}

/** Reports how much has been sent, in a few steps. */
function trackProgress(sizeBytes: number, report: (percent: number) => void): Transform {
  let sent = 0;
  let reported = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      sent += chunk.length;
      const percent = Math.floor((sent / sizeBytes) * (streamedPercent / streamedStep)) * streamedStep;
      if (percent > reported) report(percent);
      reported = Math.max(reported, percent);
      next(null, chunk);
    },
  });
}

function linkOf(request: BootRequest): BootLink {
  return { secret: request.params.secret ?? '', address: sourceOf(request) };
}

/** Without the zone of a link-local address, which is ours. */
function sourceOf({ socket }: FastifyRequest): string {
  return addressText(socket.remoteAddress?.replace(/%.*/, '') ?? '') ?? '';
}
