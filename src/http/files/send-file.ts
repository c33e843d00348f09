// Sends a file, whole or one range of it, without holding more than a few pages in memory.
import { createReadStream } from 'node:fs';
import { pipeline, Readable, type Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LocalFile } from '#app/reload/file-cache.ts';
import { parseByteRange } from './byte-range.ts';

/** `through` sees what is sent, if that is the whole file. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, sizeBytes, sha256 }: LocalFile,
  through?: Duplex,
): FastifyReply {
  const range = parseByteRange(request.headers.range, sizeBytes);
  reply.headers({ 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream', etag: `"${sha256}"` });
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send();
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  if (range !== undefined) reply.code(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
  reply.header('content-length', last - first + 1);
  // Without a stream, Fastify would set a length of 0 whatever the header says.
  if (request.method === 'HEAD' || sizeBytes === 0) return reply.send(Readable.from([]));
  const stream = createReadStream(path, { start: first, end: last });
  if (through === undefined || range !== undefined) return reply.send(stream);
  // Each ends with the other: on a read error, or when the client disconnects.
  pipeline(stream, through, () => {});
  return reply.send(through);
}

/** Reveals nothing, not even whether something else would be found. */
export function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send();
}
