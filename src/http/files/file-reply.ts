// A file as an answer, whole or one range of it, without ever holding more of it than a few pages.
import { createReadStream } from 'node:fs';
import { pipeline, Readable, type Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LocalFile } from '#app/reload/file-cache.ts';
import { byteRange } from './byte-range.ts';

/** `through` sees what is sent, where that is the whole file. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, sizeBytes, sha256 }: LocalFile,
  through?: Transform,
): FastifyReply {
  const range = byteRange(request.headers.range, sizeBytes);
  reply.headers({ 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream', etag: `"${sha256}"` });
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send();
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  if (range !== undefined) reply.code(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
  reply.header('content-length', last - first + 1);
  // Fastify would call an answer without anything to send 0 bytes long, whatever was said of its length.
  if (request.method === 'HEAD' || sizeBytes === 0) return reply.send(Readable.from([]));
  const stream = createReadStream(path, { start: first, end: last });
  if (through === undefined || range !== undefined) return reply.send(stream);
  // Each ends with the other: a file that cannot be read on, a client that hangs up.
  pipeline(stream, through, () => {});
  return reply.send(through);
}
