// Sends large content in pieces, one in each turn of the event loop, so that other requests are served in between.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { pauseWork } from '#lib/slices.ts';

const bytesPerPiece = 65_536;

/** Returns what a handler has to return to send the parts one after the other. */
export function sendInPieces(reply: FastifyReply, parts: readonly Buffer[], bytes: number): Buffer | Readable {
  if (bytes <= bytesPerPiece) return Buffer.concat(parts);
  reply.header('content-length', bytes);
  return Readable.from(piecesOf(parts), { objectMode: false });
}

async function* piecesOf(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const part of parts)
    for (let start = 0; start < part.length; start += bytesPerPiece) {
      yield part.subarray(start, start + bytesPerPiece);
      await pauseWork('outside a transaction');
    }
}
